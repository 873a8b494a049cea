/// The behaviour of a channel while no publisher is connected.
package struct LossPolicy: Sendable, Hashable {
    /// The behaviour of the playlists while no publisher is connected.
    package enum Action: String, Sendable, Hashable, CaseIterable {
        /// The playlists stay as they are, and players wait.
        case hold
        /// The playlists end, and playback with them.
        case end
        /// A still image or a clip is shown in a loop, with silence. If no slate can be made, the channel behaves as
        /// with ``hold``.
        case slate
    }

    package var action: Action
    /// Seconds without a publisher until the playlists end.
    package var timeoutSeconds: Int
    /// Path of the slate's file: below the folder of titles, or absolute; `nil` for a plain card.
    package var slateFile: String?

    /// Default timeout in seconds. An encoder that lost its network is usually back within it, and players that wait
    /// have not given up.
    package static let defaultTimeoutSeconds = 30

    package init(
        action: Action = .hold, timeoutSeconds: Int = LossPolicy.defaultTimeoutSeconds, slateFile: String? = nil
    ) {
        self.action = action
        self.timeoutSeconds = timeoutSeconds
        self.slateFile = slateFile
    }

    var timeout: Duration { .seconds(timeoutSeconds) }
}
