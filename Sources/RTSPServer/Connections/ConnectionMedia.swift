/// The media of a connection.
enum ConnectionMedia {
    case nothing
    /// From an accepted ANNOUNCE to the end of the session.
    case publishing(PublishingSession)
    /// From DESCRIBE, or the first SETUP, to the end of the session.
    case playback(ConnectionPlayback)
}
