/// Why there is no picture of a key frame.
package enum PictureError: Error, Hashable, CustomStringConvertible {
    /// More key frames wait than a worker makes pictures of in time.
    case busy
    /// The key frame cannot be decoded, or is too large.
    case notDecodable(String)
    /// The worker ended, was ended, or cannot be started.
    case workerLost(String)

    package var description: String {
        switch self {
        case .busy: "too many pictures are being made"
        case .notDecodable(let reason): "the key frame cannot be decoded: \(reason)"
        case .workerLost(let reason): "the worker that makes pictures is gone: \(reason)"
        }
    }
}
