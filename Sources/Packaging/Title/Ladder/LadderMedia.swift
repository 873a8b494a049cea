/// The opened movies of a ladder.
package struct LadderMedia: Sendable {
    package var movies: [LadderMovie]
    /// The audio of those movies that take the ladder's.
    package var audio: [LadderAudio]

    /// Creates the media; the parameters are the properties of the same names.
    package init(movies: [LadderMovie], audio: [LadderAudio] = []) {
        self.movies = movies
        self.audio = audio
    }
}
