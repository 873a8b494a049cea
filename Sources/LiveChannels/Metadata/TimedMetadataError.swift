import Packaging

/// The reason why something was not announced. `reason` is human-readable.
package struct TimedMetadataError: Error, Hashable, CustomStringConvertible {
    /// The kind of a refusal.
    package enum Code: Sendable, Hashable {
        /// A value is not allowed, or is too long.
        case invalid
        /// No push is shown, or the push has not shown anything yet.
        case notLive
        case identifierInUse
        /// There were too many announcements in a short time, or there are too many ranges in the playlists.
        case tooMany
    }

    package var code: Code
    package var reason: String

    package var description: String { reason }

    package init(code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The error for a value that is not allowed.
    package static func invalid(_ reason: String) -> TimedMetadataError { .init(code: .invalid, reason: reason) }
    static func tooLong(_ name: String) -> TimedMetadataError { .invalid("\"\(name)\" is too long") }
}
