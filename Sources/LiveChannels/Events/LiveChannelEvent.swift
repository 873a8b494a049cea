package import MediaCore

/// An event of a channel, for its observers.
package struct LiveChannelEvent: Sendable, Hashable {
    /// The kind of the event.
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
        /// The media that arrives from the publisher has become bad, or good again.
        ///
        /// - Parameters:
        ///   - problems: what is wrong; empty if all is good again.
        ///   - loss: the share of packets that was lost in the last seconds, from 0 to 1.
        case quality(problems: [QualityProblem], loss: Double)
        /// Media is missing.
        ///
        /// - Parameters:
        ///   - cause: why it is missing.
        ///   - count: the number of gaps since the previous event with this cause.
        ///   - seconds: their length together.
        case gap(cause: MediaGapCause, count: Int, seconds: Double)
        /// A quality of the ladder is no longer encoded, or is encoded again.
        ///
        /// - Parameters:
        ///   - name: the name of its preset.
        ///   - state: what has become of it.
        case rung(name: String, state: LiveRungState)
    }

    package var channel: String
    package var kind: Kind
    package var happenedAt: WallClockTime

    /// Takes events. It must not wait: it is called on event loops and on the disk's thread.
    package typealias Observer = @Sendable (LiveChannelEvent) -> Void
}
