/// Hears what players fetch of titles.
package protocol PlaybackObserver: Sendable {
    /// Called on event loops for each segment that is sent, so it must not wait.
    func played(_ playback: TitlePlayback)
}
