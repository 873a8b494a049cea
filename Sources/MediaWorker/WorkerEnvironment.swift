/// The environment variables of all workers, whatever the server's own environment contains.
package enum WorkerEnvironment {
    /// The variables as "NAME=value". OpenBLAS, which libavfilter may load, starts a thread per processor when it is
    /// loaded, and a worker with a second thread cannot be confined.
    package static let additions = ["OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1"]
}
