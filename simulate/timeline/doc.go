// Package timeline reads from the profile of a simulated run how many warps were
// resident when, how long each lived, and how long its memory accesses took: the
// occupancy that a run attains against the one that the resources allow (V16 3.2,
// Figs. 3.3 and 5.1), and the distribution of memory latencies (V16 6.6).
//
// It consumes a simulate.Profile and never simulates. Times are cycles.
package timeline
