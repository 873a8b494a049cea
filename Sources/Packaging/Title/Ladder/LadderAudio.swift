package import ISOBMFF
package import MediaCore

/// A movie that holds only a smaller encoding of a title's audio, for renditions of few bits.
package struct LadderAudio: Sendable {
    /// The name in URLs; changes whenever the movie does.
    package var name: String
    package var index: MovieIndex
    package var file: MediaFile
    /// The names of the title's audio renditions in whose place it is played. The first is the one that was encoded.
    package var replaced: [String]
    /// The time by which it begins after the rendition that was encoded; negative if before.
    package var delay: MediaTime

    /// Creates a movie; the parameters are the properties of the same names.
    package init(name: String, index: MovieIndex, file: MediaFile, replaced: [String], delay: MediaTime) {
        self.name = name
        self.index = index
        self.file = file
        self.replaced = replaced
        self.delay = delay
    }
}
