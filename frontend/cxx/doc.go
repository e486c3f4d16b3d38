// Package cxx writes C++ out of CUDA programs: templates become copies with concrete arguments, and member
// functions, constructors and operators of structs plain functions.
//
// It consumes the files of a program one after the other (Program.WriteOut, package source), before
// anything is preprocessed, and leaves in each a text that has neither, whose every piece leads back to
// the user's. What remains of C++, as references or casts, is rewritten on the spot by package frontend.
//
// # How
//
//   - reader.go cuts files into declarations; words.go knows the macros and types that tell what
//     they are.
//   - namespace.go tells names apart that several namespaces declare.
//   - template_scan.go finds templates, constants, types and the arguments that host code gives;
//     template_write.go writes the copies (template_copy.go), or those of headers' templates
//     (template_foreign.go).
//   - template_args.go makes arguments canonical, with the constants that package constexpr computes;
//     template_kernel.go and template_launch.go choose those of kernels.
//   - pack.go and pack_expand.go make templates without parameter packs of those with one, before all else;
//     template_alias.go replaces templates of typedefs by what they stand for.
//   - member_base.go has derived classes and the values that members have; member*.go write members
//     out, after which templates that were members are written out in turn.
//
// # Rounds
//
// Arguments that only typing can deduce are asked for later (Instances.Request): Instances outlives the reading of
// the files, and what has been asked for is written out when they are read again.
//
// # Invariants
//
// A text without templates and members is not changed. Copies of one template with equal arguments are one
// function, whose name is an identifier of C; Display spells it as the user does. What cannot be
// written out is left in place, for its error to be reported there, if it is used. Recursion without an end is
// bounded (template.go).
package cxx
