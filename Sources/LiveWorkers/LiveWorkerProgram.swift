import Transcoding

/// The implementation of `antena live-worker`.
package enum LiveWorkerProgram {
    /// Runs the worker until its input ends.
    ///
    /// - Returns: the exit status.
    package static func run() -> Int32 { LiveWorker.run() }
}
