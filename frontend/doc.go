// Package frontend parses OpenCL C and CUDA C kernels into a typed syntax tree.
package frontend
