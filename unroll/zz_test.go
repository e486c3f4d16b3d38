package unroll_test
import ("testing";"os";"gpupipe/idg";"gpupipe/frontend";"gpupipe/lower";"gpupipe/unroll";"time";"fmt")
func TestZZ(t *testing.T){
 text,_:=os.ReadFile("../kernels/mmul.cl")
 t0:=time.Now()
 u,err:=frontend.Parse(frontend.Config{File:"mmul.cl",Text:string(text),Dialect:frontend.OpenCL,Defines:[]string{"BLOCK_SIZE=4"}})
 if err!=nil{t.Fatal(err)}
 fmt.Println("parse",time.Since(t0)); t0=time.Now()
 k,err:=lower.Lower(u,u.Kernels[0])
 if err!=nil{t.Fatal(err)}
 fmt.Println("lower",time.Since(t0)); t0=time.Now()
 r,err:=unroll.Resolve(k,unroll.Options{Local:[3]int64{4,4},Args: map[string]unroll.ArgValue{"wA": {Int: 8}, "wB": {Int: 16}}})
 if err!=nil{t.Fatal(err)}
 fmt.Println("resolve",time.Since(t0))
 idg.WriteText(os.Stdout,r.Graph)
}
