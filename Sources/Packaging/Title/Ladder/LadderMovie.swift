package import ISOBMFF
package import MediaCore

/// A movie that holds only a rendition of a title's video.
package struct LadderMovie: Sendable {
    /// The name in URLs; changes whenever the movie does.
    package var name: String
    package var index: MovieIndex
    package var file: MediaFile
    /// The presentation time of its first frame on the title's timeline.
    package var start: MediaTime
    /// True if the rendition is played with the audio of the ladder, false if with the title's own.
    package var takesLadderAudio: Bool

    /// Creates a movie; the parameters are the properties of the same names.
    package init(
        name: String, index: MovieIndex, file: MediaFile, start: MediaTime, takesLadderAudio: Bool = false
    ) {
        self.takesLadderAudio = takesLadderAudio
        self.name = name
        self.index = index
        self.file = file
        self.start = start
    }
}
