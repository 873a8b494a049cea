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
    /// The time of publication of the manifest that a player has, in milliseconds since 1970, from `publishTime`; `nil`
    /// if it is not given.
    var publishTime: Int64?
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
    /// Why the parameters could be read in two ways; `nil` if they cannot. Nothing is answered then, whatever is
    /// requested: a proxy that takes the other reading would keep one answer as the other.
    private(set) var conflict: Conflict?

    init() {}

    /// How parameters could be read in two ways.
    enum Conflict: Hashable, Sendable {
        case isRepeated(Parameter)
        case isSpelledDifferently(Parameter)

        /// A clause that says which parameter.
        var reason: String {
            switch self {
            case .isRepeated(let parameter): "the parameter \(parameter.rawValue) is given twice"
            case .isSpelledDifferently(let parameter):
                "the parameter \(parameter.rawValue) is spelled differently; write it exactly like this"
            }
        }
    }

    /// The parameters that mean something here.
    enum Parameter: String, CaseIterable, Sendable {
        case lowLatency = "ll"
        case token, format, codecs, start, scoreboard
        case signatureEnd = "exp"
        case signatureID = "id"
        case signatureCode = "sig"
        case webToken = "jwt"
        case skip = "_HLS_skip"
        case mediaSequence = "_HLS_msn"
        case part = "_HLS_part"
        case publishTime

        /// The directive's bit in the set of seen directives.
        fileprivate var bit: UInt16 {
            switch self {
            case .lowLatency: 1
            case .token: 1 << 1
            case .format: 1 << 2
            case .codecs: 1 << 3
            case .start: 1 << 4
            case .signatureEnd: 1 << 5
            case .signatureID: 1 << 6
            case .signatureCode: 1 << 7
            case .webToken: 1 << 8
            case .skip: 1 << 9
            case .mediaSequence: 1 << 10
            case .part: 1 << 11
            case .publishTime: 1 << 12
            case .scoreboard: 1 << 13
            }
        }

        /// The parameter of which a name is another spelling, with other cases or percent-encoded.
        fileprivate init?(otherSpelling name: Substring) {
            let plain = (name.removingPercentEncoding ?? String(name)).lowercased()
            guard let known = Self.allCases.first(where: { $0.rawValue.lowercased() == plain }) else { return nil }
            self = known
        }
    }

    /// - Parameter query: the query without the question mark.
    init(query: Substring) {
        guard !query.isEmpty else { return }
        var mediaSequence: Int?
        var part: Int?
        var seen: UInt16 = 0
        // Bytes are split, because characters hide what a combining mark follows.
        for parameter in query.utf8.split(separator: UInt8(ascii: "&")) {
            let end = parameter.firstIndex(of: UInt8(ascii: "=")) ?? parameter.endIndex
            let (name, value) = (Substring(parameter[..<end]), Substring(parameter[end...].dropFirst()))
            guard let known = Parameter(rawValue: String(name)) else {
                if let other = Parameter(otherSpelling: name) { conflict = .isSpelledDifferently(other) }
                continue
            }
            if seen & known.bit != 0 { conflict = .isRepeated(known) }
            seen |= known.bit
            switch known {
            case .lowLatency:
                guard form != .transportStream, form != .withScoreboard else { break }
                form = value == "0" ? .wholeSegments : value == "1" ? .partsAtOnce : .lowLatency
            case .token: token = String(value)
            case .signatureEnd: if Self.isPlain(value) { signatureEnd = value }
            case .signatureID: if Self.isPlain(value) { signatureID = value }
            case .signatureCode: if Self.isPlain(value) { signatureCode = value }
            // Read by those who decide who may watch.
            case .webToken: break
            case .format:
                if value == "ts" { form = .transportStream }
                wantsFragmentedMP4 = value == "fmp4"
            case .scoreboard:
                if value == "1", form != .transportStream { form = .withScoreboard }
            case .codecs: codecGeneration = Int(digits: value)
            case .start:
                start = ProgramTime(parsing: value)?.time
                if start == nil { error = "start is neither a date like 2026-11-21T17:20:00Z nor seconds since 1970" }
            case .skip: skips = value == "YES" || value == "v2"
            case .mediaSequence: mediaSequence = number(value, named: known)
            case .part: part = number(value, named: known)
            case .publishTime: publishTime = Int64(digits: value)
            }
        }
        if let mediaSequence {
            position = ReloadPosition(mediaSequence: mediaSequence, part: part)
        } else if part != nil {
            error = error ?? "_HLS_part needs _HLS_msn"
        }
    }

    /// The names of the parameters of a signature.
    static let signatureParameters = [Parameter.signatureEnd, .signatureID, .signatureCode].map(\.rawValue)

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

    private mutating func number(_ text: Substring, named name: Parameter) -> Int? {
        if let number = Int(digits: text) { return number }
        error = "\(name.rawValue) is not a whole number"
        return nil
    }
}

extension DeliveryDirectives {
    /// The parameters on which a playlist depends, in one spelling and order; empty if there are none.
    ///
    /// - Parameter forChannel: whether the playlist is that of a channel; titles have fewer parameters.
    func canonicalQuery(forChannel: Bool) -> String {
        var parameters: [(Parameter, String)] = []
        switch form {
        case .lowLatency: break
        case .wholeSegments: parameters.append((.lowLatency, "0"))
        case .partsAtOnce: parameters.append((.lowLatency, "1"))
        case .transportStream: parameters.append((.format, "ts"))
        case .withScoreboard: parameters.append((.scoreboard, "1"))
        }
        if !forChannel {
            parameters.removeAll { $0.0 != .format }
            if wantsFragmentedMP4 { parameters.append((.format, "fmp4")) }
        } else {
            if let codecGeneration { parameters.append((.codecs, "\(codecGeneration)")) }
            if let start { parameters.append((.start, Self.text(start))) }
            if let position {
                parameters.append((.mediaSequence, "\(position.mediaSequence)"))
                if let part = position.part { parameters.append((.part, "\(part)")) }
            }
            if skips { parameters.append((.skip, "YES")) }
            if let publishTime { parameters.append((.publishTime, "\(publishTime)")) }
        }
        return parameters.map { "\($0.rawValue)=\($1)" }.joined(separator: "&")
    }

    /// A time as seconds since 1970.
    private static func text(_ time: WallClockTime) -> String {
        let (seconds, rest) = time.millisecondsSince1970.quotientAndRemainder(dividingBy: 1_000)
        let digits = String(rest)
        return rest == 0 ? "\(seconds)" : "\(seconds).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
    }
}
