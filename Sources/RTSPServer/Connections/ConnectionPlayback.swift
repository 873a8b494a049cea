/// The presentation that a connection plays.
struct ConnectionPlayback {
    let session: any PlaybackSession
    let output: ConnectionPlaybackOutput
    /// Name of the channel or title, for logs.
    let name: String
    var hasPlayed = false
}
