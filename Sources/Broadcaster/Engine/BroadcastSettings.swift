public import Capture

/// The settings of a broadcast.
public struct BroadcastSettings: Sendable {
    /// The server and stream to publish to.
    public var target: PushTarget
    /// The source to publish.
    public var source: BroadcastSource
    /// The encoding.
    public var encoding: BroadcastEncoding
    /// The previews to emit among the events; `nil` for none.
    public var preview: PreviewRequest?
    /// True to retry if the first attempt fails, too: for a script that starts before its server.
    public var waitsForServer = false
    /// True to lower the bit rate if the uplink does not carry it.
    public var adaptsBitRate = true
    /// Human-readable notices that are emitted first.
    public var notices: [String] = []

    /// Creates settings with defaults for everything else.
    public init(target: PushTarget, source: BroadcastSource, encoding: BroadcastEncoding) {
        self.target = target
        self.source = source
        self.encoding = encoding
    }
}
