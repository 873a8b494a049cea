import LiveChannels

/// What a player's query asks of a playlist: the draft's delivery directives (draft-pantos-hls-rfc8216bis §6.2.5) and
/// our own `ll`. Other parameters are other people's.
struct DeliveryDirectives: Hashable, Sendable {
    var form = LivePlaylistForm.lowLatency
    /// `_HLS_skip`
    var skips = false
    /// `_HLS_msn`, with `_HLS_part`.
    var position: ReloadPosition?
    /// Our own `start`: milliseconds since 1970.
    var start: Int64?
    /// Our own `codecs`: which of a channel's windows the playlist is of. See ``LiveChannels/LiveWindow``.
    var codecGeneration: Int?
    /// Our own `format=fmp4`: of an encrypted title, which is MPEG-TS unless told otherwise.
    var wantsFragmentedMP4 = false
    /// Our own `token`: what a title's key is had for.
    var token: String?
    /// What is wrong with them, for people.
    var error: String?

    init() {}

    /// - Parameter query: without the question mark.
    init(query: Substring) {
        guard !query.isEmpty else { return }
        var mediaSequence: Int?
        var part: Int?
        for parameter in query.split(separator: "&") {
            let sides = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = sides.count == 2 ? sides[1] : ""
            switch sides[0] {
            case "ll" where form != .transportStream:
                form = value == "0" ? .wholeSegments : value == "1" ? .partsAtOnce : .lowLatency
            case TitleEncryption.tokenParameter[...]: token = String(value)
            case "format" where value == "ts": form = .transportStream
            case "format" where value == "fmp4": wantsFragmentedMP4 = true
            case "codecs": codecGeneration = Int(digits: value)
            case "start":
                start = ProgramMoment(parsing: value)?.millisecondsSince1970
                if start == nil { error = "start is neither a date like 2026-11-21T17:20:00Z nor seconds since 1970" }
            case "_HLS_skip": skips = value == "YES" || value == "v2"
            case "_HLS_msn": mediaSequence = number(value, named: "_HLS_msn")
            case "_HLS_part": part = number(value, named: "_HLS_part")
            default: break
            }
        }
        if let mediaSequence {
            position = ReloadPosition(mediaSequence: mediaSequence, part: part)
        } else if part != nil {
            error = error ?? "_HLS_part needs _HLS_msn"
        }
    }

    private mutating func number(_ text: Substring, named name: String) -> Int? {
        if let number = Int(digits: text) { return number }
        error = "\(name) is not a whole number"
        return nil
    }
}
