module gpupipe/internal/evidence

go 1.26.0

require (
	github.com/goccy/go-yaml v1.19.2
	github.com/spf13/pflag v1.0.10
	golang.org/x/tools v0.52.0
	gonum.org/v1/gonum v0.17.0
	gpupipe v0.0.0
)

require (
	github.com/expr-lang/expr v1.17.8 // indirect
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/google/pprof v0.0.0-20261105003125-4bf881d7fb0b // indirect
)

replace gpupipe => ../..
