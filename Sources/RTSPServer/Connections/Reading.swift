/// The presentation that a connection plays.
struct Reading {
    let session: any ReadingSession
    let output: ConnectionReadingOutput
    /// Name of the channel or title, for logs.
    let name: String
    var hasPlayed = false
}
