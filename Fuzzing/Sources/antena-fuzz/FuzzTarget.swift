import NIOCore

/// A parser of what strangers send, and inputs that it takes.
struct FuzzTarget: Sendable {
    var name: String
    var seeds: [[UInt8]]
    var run: @Sendable ([UInt8]) -> Void

    static let all =
        gatewayTargets + rtspTargets + rtmpTargets + ingestTargets + relayTargets + transportStreamTargets + rtpTargets
        + depacketizerTargets + codecTargets
}

/// Gives out an input in pieces, so that one input can be several packets or reads.
struct InputSplitter {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// As long as the next byte says, or up to the end; `nil` at the end.
    mutating func next() -> [UInt8]? {
        guard let first = rest.popFirst() else { return nil }
        // Short pieces are what most headers need; some have to be long.
        let count = first < 0xF0 ? Int(first) : Int(first - 0xEF) * 200
        let piece = rest.prefix(count)
        rest = rest.dropFirst(count)
        return Array(piece)
    }

    /// The other way round: the input that gives these pieces.
    static func join(_ pieces: [[UInt8]]) -> [UInt8] {
        pieces.flatMap { piece -> [UInt8] in
            guard piece.count >= 0xF0 else { return [UInt8(piece.count)] + piece }
            let steps = min(16, (piece.count + 199) / 200)
            let padded = piece.prefix(steps * 200)
            return [UInt8(0xEF + steps)] + padded + Array(repeating: 0, count: steps * 200 - padded.count)
        }
    }
}
