package import MediaCore

/// Something that happened to a channel, for those who are told.
package struct LiveChannelEvent: Sendable, Hashable {
    /// What happened.
    package enum Kind: Sendable, Hashable {
        /// A publisher's media can be watched.
        ///
        /// - Parameter codecs: the codecs of its tracks (RFC 6381).
        case up(codecs: [String])
        /// The push ended.
        ///
        /// - Parameters:
        ///   - reason: a clause that says why.
        ///   - isIntended: whether the publisher meant it.
        case down(reason: String, isIntended: Bool)
        /// - Parameter file: the file's name in the library.
        case recordingStarted(file: String)
        case recordingFinished(file: String)
    }

    package var channel: String
    package var kind: Kind
    package var happenedAt: WallClockTime

    /// Takes events. It must not wait: it is called on event loops and on the disk's thread.
    package typealias Observer = @Sendable (LiveChannelEvent) -> Void
}
