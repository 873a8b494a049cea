/// What all workers find in their environment, whatever the server has in its own.
package enum WorkerEnvironment {
    /// "NAME=value". OpenBLAS, which libavfilter may bring along, starts a thread for each processor when it is loaded; a
    /// worker that has a second thread cannot be confined.
    package static let additions = ["OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1"]
}
