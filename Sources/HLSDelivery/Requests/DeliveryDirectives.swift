import LiveChannels
import MediaCore

/// The query parameters of a playlist request: the delivery directives of rfc8216bis §6.2.5
/// (draft-pantos-hls-rfc8216bis) and Antena's own parameters. Unknown parameters are ignored.
struct DeliveryDirectives: Hashable, Sendable {
    var form = LivePlaylistForm.lowLatency
    /// True if `_HLS_skip` asks for a delta update.
    var skips = false
    /// The position of a blocking reload, from `_HLS_msn` and `_HLS_part`; `nil` if the request does not block.
    var position: ReloadPosition?
    /// The start of the playlist from Antena's `start`; `nil` if it is not given.
    var start: WallClockTime?
    /// The window of a channel that the playlist belongs to, from Antena's `codecs`; see ``LiveChannels/LiveWindow``.
    var codecGeneration: Int?
    /// True for Antena's `format=fmp4`, which requests fMP4 for an encrypted title; the default is MPEG-TS.
    var wantsFragmentedMP4 = false
    /// The token that gives access to a title's key, from Antena's `token`; `nil` if it is not given.
    var token: String?
    /// The parameters of a signature, in the order in which they stand in a path; `nil` without one.
    var signature: String? {
        guard let signatureEnd, let signatureID, let signatureCode else { return nil }
        return "exp=\(signatureEnd),id=\(signatureID),sig=\(signatureCode)"
    }
    private var signatureEnd: Substring?
    private var signatureID: Substring?
    private var signatureCode: Substring?
    /// A human-readable error; `nil` if the parameters are valid.
    var error: String?

    init() {}

    /// - Parameter query: the query without the question mark.
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
            case "exp" where Self.isPlain(value): signatureEnd = value
            case "id" where Self.isPlain(value): signatureID = value
            case "sig" where Self.isPlain(value): signatureCode = value
            case "format" where value == "ts": form = .transportStream
            case "format" where value == "fmp4": wantsFragmentedMP4 = true
            case "codecs": codecGeneration = Int(digits: value)
            case "start":
                start = ProgramTime(parsing: value)?.time
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

    /// The names of the parameters of a signature.
    static let signatureParameters = ["exp", "id", "sig"]

    /// Limit of a parameter of a signature.
    private static let maximumPlainByteCount = 64

    /// Whether a text can stand in a path as it is: letters and digits of base64url.
    private static func isPlain(_ text: Substring) -> Bool {
        text.utf8.count <= maximumPlainByteCount
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private mutating func number(_ text: Substring, named name: String) -> Int? {
        if let number = Int(digits: text) { return number }
        error = "\(name) is not a whole number"
        return nil
    }
}
