/// The ladder of a title: further renditions of its video, each in a file of its own.
package struct PackagedLadder: Sendable {
    /// A rendition of the ladder and its file.
    package struct Rung: Sendable {
        package var rendition: PackagedRendition
        package var file: MediaFile
        /// True if the rendition is played with `audio`, false if with the title's own.
        package var takesLadderAudio = false
    }

    /// A smaller encoding of audio of the title, and its file.
    package struct Audio: Sendable {
        package var rendition: PackagedRendition
        package var file: MediaFile
        /// The names of the title's audio renditions in whose place it is played.
        var replaced: [String]
    }

    /// The renditions.
    package var rungs: [Rung]
    /// Smaller encodings of the title's audio; empty if all renditions are played with the title's own.
    package var audio: [Audio] = []
    /// True if players may switch between the ladder and the source; false if one of them uses AV1 and the other does
    /// not. Chromium 156, which always supports AV1 and H.264, would switch when the bandwidth requires it, and stop
    /// for good ("Video codec changes not allowed"). H.264 and HEVC may be mixed: most players support one of them, or
    /// switch without problems.
    package var mixesWithSource: Bool
    /// True if the source is one of the variants; false if its GOPs are open: a switch to it would show frames that
    /// refer to others which were never decoded.
    package var offersSource: Bool
}
