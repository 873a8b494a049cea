/// One JSON line on a worker's standard output. The last one is `done` or `failed`, unless the process was killed.
package enum WorkerEvent: Codable, Sendable, Equatable {
    /// - Parameter version: the version of libavformat, for example "59.27.100".
    case started(version: String)
    case probed(MediaDescription)
    /// Progress from 0 to 1, never falling; at most ten lines a second.
    case progress(fraction: Double)
    case done(WorkerResult)
    /// - Parameter reason: a human-readable text that names the file and what is wrong with it; it is shown unchanged.
    case failed(reason: String)
}
