import HTTPEndpoints
import JSONDocument
import MediaCore
import NIOCore
import RTPTransport

extension FuzzTarget {
    static let gatewayTargets = [
        FuzzTarget(name: "json", seeds: documents.map { Array($0.utf8) }) { bytes in
            guard bytes.count <= JSONParser.maximumByteCount,
                let (node, countedByteCount) = try? JSONParser.countingParse(bytes)
            else { return }
            guard countedByteCount <= bytes.count else { fatalError("positions cost more than the text") }
            _ = schema.validate(node).map(\.description)
            _ = node.summary
        },
        FuzzTarget(
            name: "schema-pattern",
            seeds: [Array("^[a-z0-9_-]{1,8}$|canal-1".utf8), Array("^\\d+[smh]?$|5m".utf8), Array("[^/]*.|a/b".utf8)]
        ) { bytes in
            let parts = String(decoding: bytes.prefix(64), as: UTF8.self).split(separator: "|", maxSplits: 1)
            // Patterns are the schema's own, so that how long a hostile one takes is no question.
            guard parts.count == 2, parts[0].unicodeScalars.count <= 20,
                parts[0].count(where: { "*+{".contains($0) }) <= 3
            else { return }
            _ = SchemaPattern(String(parts[0]))?.matches(String(parts[1].prefix(40)))
        },
        FuzzTarget(name: "multipart", seeds: forms.map { InputSplitter.join([Array($0.utf8)]) }) { bytes in
            var input = InputSplitter(bytes)
            let name = input.next().map { String(decoding: $0, as: UTF8.self) } ?? ""
            _ = MultipartFileParser(contentType: name)
            guard var parser = MultipartFileParser(contentType: "multipart/form-data; boundary=x") else {
                fatalError("a form's content type is refused")
            }
            var (given, taken) = (0, 0)
            // The first piece again: seeds have all of the form there.
            var piece: [UInt8]? = Array(name.utf8)
            while let bytes = piece {
                given += bytes.count
                parser.append(ByteBuffer(bytes: bytes))
                do {
                    while let event = try parser.next(), event != .end {
                        if case .bytes(let buffer) = event { taken += buffer.readableBytes }
                    }
                } catch {
                    return
                }
                guard taken <= given else { fatalError("more came out than went in") }
                piece = input.next()
            }
        },
        FuzzTarget(name: "rtp-timeline", seeds: [Array(0...255), Array(repeating: 0x7F, count: 200)]) { bytes in
            runTimeline(bytes)
        },
        FuzzTarget(name: "untrusted-text", seeds: documents.map { Array($0.utf8) }) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let escaped = UntrustedText.escaped(text, maximumCharacterCount: 100)
            guard UntrustedText.escaped(escaped, maximumCharacterCount: .max) == escaped,
                !escaped.unicodeScalars.contains(where: { $0.value < 0x20 })
            else { fatalError("escaped text is not fit for a log: \(escaped.debugDescription)") }
            _ = UntrustedText.stripped(text, maximumCharacterCount: 100)
        },
    ]

    /// Clocks, timestamps and arrivals as an input has them.
    private static func runTimeline(_ bytes: [UInt8]) {
        var buffer = ByteBuffer(bytes: bytes)
        let rates = (0..<2).map { _ in max(1, buffer.readInteger(as: UInt32.self) ?? 1) }
        var timeline = RTPTimeline(clocks: rates.map { RTPTimeline.Clock(rate: $0, isReordered: $0 % 2 == 0) })
        var estimator = DecodeTimeEstimator(
            reorderDepth: Int(buffer.readInteger(as: UInt8.self) ?? 0),
            frameDuration: buffer.readInteger(as: Int64.self) ?? 1)
        var arrival = NIODeadline.uptimeNanoseconds(1)
        while let kind = buffer.readInteger(as: UInt8.self), let timestamp = buffer.readInteger(as: UInt32.self) {
            let trackIndex = Int(kind & 1)
            if kind & 2 != 0 {
                let report = RTCPSenderReport(
                    source: 1, ntpTimestamp: NTPTimestamp(rawValue: buffer.readInteger(as: UInt64.self) ?? 0),
                    rtpTimestamp: timestamp)
                _ = timeline.receive(report, trackIndex: trackIndex)
                continue
            }
            // Up to a day and a half between two packets.
            arrival = arrival + .nanoseconds(Int64(1) << (Int64(kind >> 2) % 48))
            let placement = timeline.place(rtpTimestamp: timestamp, trackIndex: trackIndex, arrival: arrival)
            guard placement.mediaTime <= 1 << 60 else { fatalError("the line has left its bounds") }
            if trackIndex == 0 { _ = estimator.next(presentationTime: placement.mediaTime) }
        }
    }

    private static let documents = [
        #"{"presets":{"low":{"width":426,"height":240,"rate":24.5}},"channels":[{"name":"canal-1"},{"name":"ñ"}]}"#,
        #"{"path":"\ud83d\ude00A\n","list":[1,-2.5e+3,true,false,null,""]}"#, "[[[[]]]]", "\u{FEFF}{}",
        "\"\\ud800\\u0041\"",
        "[1,\n 2,\r\n \"é\"]",
    ]

    private static let forms = [
        "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.mp4\"\r\nContent-Type: video/mp4\r\n\r\n"
            + "abc\r\n-\r\n--\r\n--xy\r\n--x--\r\n",
        "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x\r\nContent-Disposition: form-data; name=\"f\"; "
            + "filename*=UTF-8''a%C3%B1o.mp4\r\n\r\n\r\n--x--",
    ]

    /// Each keyword that the gateway's schema has.
    private static let schema: JSONSchema = {
        let text = #"""
            {"type":"object","required":["channels"],"additionalProperties":false,"properties":{
            "presets":{"type":"object","propertyNames":{"pattern":"^[a-z]{1,8}$"},"minProperties":1,"maxProperties":4,
            "additionalProperties":{"$ref":"#/$defs/preset"}},
            "channels":{"type":"array","minItems":1,"maxItems":8,"uniqueItems":true,"items":{"type":"object"}},
            "path":{"type":["string","null"],"minLength":1,"maxLength":9,"enum":["a","b"]},"list":{"type":"array"}},
            "$defs":{"preset":{"type":"object","properties":{"width":{"type":"integer","minimum":16,"maximum":8192},
            "rate":{"type":"number","exclusiveMinimum":0}}}}}
            """#
        guard let node = try? JSONParser.parse(text.utf8) else { fatalError("the fuzzer's schema is not JSON") }
        return JSONSchema(node)
    }()
}
