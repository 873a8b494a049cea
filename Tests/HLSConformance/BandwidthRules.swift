/// 1.26 to 1.29: what a variant declares against what its renditions weigh.
enum BandwidthRules {
    static func check(
        _ multivariant: PlaylistDocument, _ renditions: [(RenditionLoad, PlaylistDocument)]
    ) -> [Finding] {
        let measured = Dictionary(
            renditions.compactMap { load, document in Measurement(load, document).map { (document.url, $0) } },
            uniquingKeysWith: { first, _ in first })
        return multivariant.segments.flatMap { variant -> [Finding] in
            guard let tag = variant.tags.last(where: { $0.name == "EXT-X-STREAM-INF" }) else { return [] }
            guard let own = measured[resolve(variant.uri, against: multivariant.url)] else { return [] }
            let urls = audioURLs(of: variant, tag, in: multivariant)
            let audio = urls.compactMap { measured[$0] }
            guard audio.count == urls.count else { return [] }
            return check(tag, [own] + [Measurement(heaviestOf: audio)].compactMap { $0 }, multivariant.url)
        }
    }

    /// Of the variant's audio group; none where the variant itself is one of them and so is heard in their place.
    private static func audioURLs(
        of variant: PlaylistDocument.Segment, _ tag: PlaylistDocument.Tag, in document: PlaylistDocument
    ) -> [String] {
        guard let group = tag.attributes["AUDIO"] else { return [] }
        let urls = document.all("EXT-X-MEDIA").map(\.attributes)
            .filter { $0["TYPE"] == "AUDIO" && $0["GROUP-ID"] == group }
            .compactMap { $0["URI"].map { resolve($0, against: document.url) } }
        return urls.contains(resolve(variant.uri, against: document.url)) ? [] : urls
    }

    private static func check(_ tag: PlaylistDocument.Tag, _ parts: [Measurement], _ url: String) -> [Finding] {
        let isLive = parts.contains { $0.isLive }
        let average = parts.map(\.average).reduce(0, +)
        let peak = parts.map(\.peak).reduce(0, +)
        let rules = [
            ("AVERAGE-BANDWIDTH", average, isLive ? "1.28" : "1.26", 1.10),
            ("BANDWIDTH", peak, isLive ? "1.29" : "1.27", isLive ? 1.25 : 1.10),
        ]
        return rules.compactMap { name, measured, rule, highest in
            guard let declared = tag.attributes[name].flatMap({ Double($0) }), declared > 0 else { return nil }
            let ratio = measured / declared
            guard ratio > highest || (!isLive && ratio < 0.90) else { return nil }
            return Finding(
                rule: rule, url: url, line: tag.line,
                message: "\(name) is \(Int(declared)) bit/s, measured are \(Int(measured)) bit/s")
        }
    }
}

/// The bit rates of a rendition all of whose segments were loaded.
private struct Measurement {
    var average: Double
    var peak: Double
    var isLive: Bool

    /// Of what can be played with a variant it is the largest that is declared.
    init?(heaviestOf parts: [Measurement]) {
        guard let average = parts.map(\.average).max(), let peak = parts.map(\.peak).max() else { return nil }
        self.average = average
        self.peak = peak
        isLive = parts.contains { $0.isLive }
    }

    init?(_ load: RenditionLoad, _ document: PlaylistDocument) {
        var segments: [(bits: Double, seconds: Double)] = []
        for segment in document.segments {
            guard let resource = load.resources[resolve(segment.uri, against: document.url)],
                let seconds = segment.duration
            else { return nil }
            segments.append((Double(resource.bytes.count * 8), seconds))
        }
        let (bits, seconds) = segments.reduce((0, 0)) { ($0.0 + $1.bits, $0.1 + $1.seconds) }
        guard seconds > 0 else { return nil }
        isLive = !document.isEnded
        average = bits / seconds
        peak = Self.peak(of: segments, targetDuration: Double(document.targetDuration)) ?? average
    }

    /// The highest rate over any run of whole segments that lasts 0.5 to 1.5 target durations.
    private static func peak(of segments: [(bits: Double, seconds: Double)], targetDuration: Double) -> Double? {
        var highest: Double?
        for start in segments.indices {
            var (bits, seconds) = (0.0, 0.0)
            for segment in segments[start...] {
                bits += segment.bits
                seconds += segment.seconds
                if seconds > 1.5 * targetDuration { break }
                if seconds >= 0.5 * targetDuration { highest = max(highest ?? 0, bits / seconds) }
            }
        }
        return highest
    }
}
