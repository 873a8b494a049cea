public import LibAV

/// All that a broadcast needs to know.
public struct BroadcastSettings: Sendable {
    /// Where to push.
    public var target: PushTarget
    /// What to push.
    public var source: BroadcastSource
    /// In which quality.
    public var encoding: BroadcastEncoding
    /// What previews to hand out among the events; `nil` for none.
    public var preview: PreviewRequest?
    /// Goes on trying where the first attempt fails, too: for a script that starts before its server.
    public var waitsForServer = false
    /// Lowers the bit rate where the line does not carry it.
    public var adaptsBitRate = true
    /// What a person should know from the start: handed out as the first notices.
    public var notices: [String] = []

    /// All that has no usual value.
    public init(target: PushTarget, source: BroadcastSource, encoding: BroadcastEncoding) {
        self.target = target
        self.source = source
        self.encoding = encoding
    }
}
