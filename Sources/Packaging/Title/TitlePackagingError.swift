/// A movie that cannot be packaged in place, and why; most can be after conversion.
package struct TitlePackagingError: Error, Hashable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// Neither video nor audio with samples.
        case noMedia
        /// HLS has no place for this codec.
        case unsupportedCodec
        /// Segments, which start at key frames, would be too long.
        case keyFramesTooFarApart
        /// More pictures a second than HLS allows.
        case tooManyPictures
        /// An edit list starts with a picture that only pictures in front of it make visible.
        case cutBetweenKeyFrames
        /// A segment would not fit into memory: no video for streaming, or sample tables that lie.
        case segmentTooLarge
        /// Another quality of the video does not begin its groups of pictures where the title's segments begin.
        case misaligned
    }

    package var code: Code
    package var reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { reason }
}
