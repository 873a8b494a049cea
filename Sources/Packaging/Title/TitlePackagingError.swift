/// The reason why a movie cannot be packaged in place; most movies can be after conversion.
package struct TitlePackagingError: Error, Hashable, CustomStringConvertible {
    /// The kinds of error.
    package enum Code: Hashable, Sendable {
        /// The movie has neither video nor audio with samples.
        case noMedia
        /// HLS does not carry this codec.
        case unsupportedCodec
        /// Segments, which start at key frames, would be too long.
        case keyFramesTooFarApart
        /// A track cannot be decoded without a key; no conversion helps.
        case encrypted
        /// The video has more frames per second than HLS allows.
        case tooManyFrames
        /// An edit list starts with a frame that depends on hidden frames before it.
        case cutBetweenKeyFrames
        /// A segment would not fit into memory: the video is not meant for streaming, or the sample tables are invalid.
        case segmentTooLarge
        /// Another rendition of the video does not start its GOPs where the title's segments start.
        case misaligned
    }

    /// The kind of error.
    package var code: Code
    /// A human-readable reason.
    package var reason: String

    /// Creates an error.
    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { reason }
}
