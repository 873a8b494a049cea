import Packaging

/// The reason why a clip cannot be made. `reason` is human-readable.
package struct ClipError: Error, Hashable, CustomStringConvertible {
    /// The kind of a clip error.
    package enum Code: Hashable, Sendable {
        /// The times do not form a clip, or the clip would be too long.
        case invalid
        /// The channel has no media for that time, or not for all of it.
        case outsideWindow
        /// Codec parameters or tracks change within the clip.
        case parametersChange
        case storage
    }

    package var code: Code
    package var reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { reason }
}
