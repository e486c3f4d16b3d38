// Package tensor knows the fragments of matrices that tensor cores multiply: which there are by use, shape and type
// of their elements, since which tensor cores, and how many elements or words of one a work item holds.
//
// In come a struct's type (FragmentOf) or the words of a template argument (Word, Exists); out go a Fragment and the
// text of the prelude that declares a struct for each use, shape, type and layout (Prelude). Source: CUDA C++
// Programming Guide, Warp Matrix Functions. What the calls of fragments do, typing says (infer_tensor.go of package
// frontend) and lowering.
package tensor
