/// The state with which a loop's readers start.
package struct LiveSubscription: Sendable {
    /// Unique within the channel; events carry it.
    package var identifier: Int
    /// The current push; `nil` if there is none.
    package var broadcast: LiveBroadcast?
    /// The units since the last key frame; empty if they are too large to keep, or if there is no video.
    package var units: [LiveUnit]
}
