/// The streams elsewhere that a channel is fetched from and copied to.
package struct RelayPolicy: Sendable, Hashable, CustomStringConvertible {
    /// The address from which the channel is fetched; `nil` if it waits for publishers.
    package var source: String?
    /// Whether it is fetched only while somebody watches.
    package var isOnDemand = false
    /// Whether media of a camera comes by UDP.
    package var usesUDP = false
    /// A file with the username and the password of the source in two lines; `nil` for none.
    package var credentialsFile: String?
    /// The addresses to which the channel is copied. They hold keys.
    package var restreams: [String] = []
    /// Whether they get the video with the scoreboard in the picture.
    package var restreamsScoreboard = false

    package init() {}

    /// Whether somebody who watches makes a push begin.
    var bringsPush: Bool { source != nil && isOnDemand }

    /// A description without addresses, which may hold keys.
    package var description: String {
        "\(source == nil ? "no source" : "a source"), \(restreams.count) restreams"
    }
}
