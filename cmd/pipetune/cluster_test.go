package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gpupipe/internal/test/tools"

	"github.com/goccy/go-yaml"
)

// cluster is a Slurm of one node on the loopback interface, in a folder of its own.
type cluster struct {
	t   *testing.T
	dir string
}

const slurmConfig = `ClusterName=test
SlurmctldHost=HOST(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=DIR/munge.socket
CredType=cred/munge
SlurmctldPort=26817
SlurmdPort=26818
StateSaveLocation=DIR/state
SlurmdSpoolDir=DIR/spool
SlurmctldPidFile=DIR/slurmctld.pid
SlurmdPidFile=DIR/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
JobRequeue=1
NodeName=HOST NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`

// newCluster starts the daemons.
func newCluster(t *testing.T) *cluster {
	if os.Getuid() != 0 {
		tools.Missing(t, "Slurm's daemons need root")
	}
	for _, program := range []string{"munged", "slurmctld", "slurmd", "sbatch"} {
		tools.Path(t, program, "slurm-wlm")
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	c := &cluster{t, t.TempDir()}
	for _, folder := range []string{"state", "spool"} {
		if err := os.Mkdir(filepath.Join(c.dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	c.write("slurm.conf", strings.NewReplacer("HOST", host, "DIR", c.dir).Replace(slurmConfig), 0o600)
	c.write("munge.key", strings.Repeat("not a secret, for a test of one node ", 30), 0o400)
	t.Setenv("SLURM_CONF", filepath.Join(c.dir, "slurm.conf"))
	in := func(name string) string { return filepath.Join(c.dir, name) }
	c.daemon("munged", "--foreground", "--force", "--socket", in("munge.socket"), "--key-file", in("munge.key"),
		"--pid-file", in("munged.pid"), "--log-file", in("munged.log"), "--seed-file", in("munged.seed"))
	c.until("munged listens", func() bool {
		_, err := os.Stat(in("munge.socket"))
		return err == nil
	})
	c.daemon("slurmctld", "-D")
	c.daemon("slurmd", "-D")
	c.until("the node is idle", func() bool {
		out, _ := exec.Command("sinfo", "-h", "-o", "%T").Output()
		return strings.TrimSpace(string(out)) == "idle"
	})
	return c
}

func (c *cluster) write(name, text string, mode os.FileMode) {
	if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), mode); err != nil {
		c.t.Fatal(err)
	}
}

// daemon runs a program until the test ends.
func (c *cluster) daemon(name string, args ...string) {
	ctx, stop := context.WithCancel(context.Background())
	d := exec.CommandContext(ctx, name, args...)
	d.Cancel = func() error { return d.Process.Signal(os.Interrupt) }
	d.WaitDelay = 10 * time.Second
	var log bytes.Buffer
	d.Stdout, d.Stderr = &log, &log
	if err := d.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		stop()
		_ = d.Wait() // it was interrupted
		if c.t.Failed() {
			c.t.Logf("%s: %s", name, log.Bytes()[max(0, log.Len()-2000):])
		}
	})
}

// until waits for something, for minutes on a busy machine.
func (c *cluster) until(what string, is func() bool) {
	c.t.Helper()
	for range 3000 {
		if is() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	c.t.Fatalf("not after minutes: %s", what)
}

// must runs a command.
func must(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestSlurm predicts a space as a job array, one of whose tasks is killed and requeued: what the shards know is that of
// one run, to the byte.
func TestSlurm(t *testing.T) {
	tools.Heavy(t)
	c := newCluster(t)
	command := filepath.Join(c.dir, "pipetune")
	must(t, "go", "build", "-ldflags=-s -w", "-o", command, ".")
	kernel, err := filepath.Abs("../../python/examples/conv.cu")
	if err != nil {
		t.Fatal(err)
	}
	space := []string{kernel, "--gpu", "h100sxm", "--local", "BX,BY", "--grid", "4096 / (BX * TX),4096 / (BY * TY)",
		"--arg", "w=4096", "--warm", "-p", "BX=32,64", "-p", "BY=2,4", "-p", "TX=1,2", "-p", "TY=1,2,4",
		"-p", "USE_SHARED=0", "-p", "UNROLL=3", "--top", "0", "--jobs", "1"}
	rows := filepath.Join(c.dir, "rows")
	job := must(t, "sbatch", append([]string{"--parsable", "--array=1-2", "--output=" + filepath.Join(c.dir, "job-%a.log"),
		"../../docs/guide/cluster/pipetune.sbatch", rows, command}, space...)...)

	first := filepath.Join(rows, "shard-1.jsonl")
	lines := func() int {
		text, _ := os.ReadFile(first)
		return bytes.Count(text, []byte("\n"))
	}
	c.until("the first task knows a variant", func() bool { return lines() > 0 })
	must(t, "scontrol", "requeue", job+"_1")
	known := lines()
	c.until("the task is pending", func() bool {
		return strings.Contains(must(t, "squeue", "-h", "-o", "%i %T"), job+"_1 PENDING")
	})
	must(t, "scontrol", "update", "JobId="+job+"_1", "StartTime=now")
	c.until("the array has ended", func() bool { return must(t, "squeue", "-h") == "" })
	if known == 0 || known == 12 {
		t.Logf("the task had %d of 12 variants when it was killed", known)
	}

	both := filepath.Join(c.dir, "both.jsonl")
	var text []byte
	for i := 1; i <= 2; i++ {
		part, err := os.ReadFile(filepath.Join(rows, fmt.Sprintf("shard-%d.jsonl", i)))
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, part...)
	}
	if err := os.WriteFile(both, text, 0o600); err != nil {
		t.Fatal(err)
	}
	whole := filepath.Join(c.dir, "whole.jsonl")
	if must(t, command, append(space, "--resume", both)...) != must(t, command, append(space, "--resume", whole)...) {
		t.Error("the table of the shards is not that of one run")
	}
	merged, err := os.ReadFile(both)
	if err != nil {
		t.Fatal(err)
	}
	if want, err := os.ReadFile(whole); err != nil || !bytes.Equal(merged, want) {
		t.Errorf("the rows of the shards are not those of one run: %v", err)
	}
}

// TestKubernetes: the manifest gives each pod its shard.
func TestKubernetes(t *testing.T) {
	text, err := os.ReadFile("../../docs/guide/cluster/pipetune-job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var job struct {
		Kind string
		Spec struct {
			CompletionMode           string `yaml:"completionMode"`
			Completions, Parallelism int
			Template                 struct {
				Spec struct {
					Containers []struct{ Args []string }
				}
			}
		}
	}
	if err := yaml.Unmarshal(text, &job); err != nil {
		t.Fatal(err)
	}
	shard := fmt.Sprintf("--shard $((JOB_COMPLETION_INDEX + 1))/%d", job.Spec.Completions)
	if job.Kind != "Job" || job.Spec.CompletionMode != "Indexed" ||
		!strings.Contains(job.Spec.Template.Spec.Containers[0].Args[0], shard) {
		t.Errorf("%+v has no %s", job, shard)
	}
}
