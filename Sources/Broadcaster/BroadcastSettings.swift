package import LibAV

/// All that a broadcast needs to know.
package struct BroadcastSettings: Sendable {
    package var target: PushTarget
    package var source: BroadcastSource
    package var encoding: BroadcastEncoding
    package var preview: PreviewRequest?
    /// Goes on trying where the first attempt fails, too: for a script that starts before its server.
    package var waitsForServer = false
    /// Lowers the bit rate where the line does not carry it.
    package var adaptsBitRate = true
    /// What a person should know from the start.
    package var notices: [String] = []

    package init(target: PushTarget, source: BroadcastSource, encoding: BroadcastEncoding) {
        self.target = target
        self.source = source
        self.encoding = encoding
    }
}
