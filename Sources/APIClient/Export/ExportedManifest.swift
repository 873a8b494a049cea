/// A manifest of an export: the files that no playlist names, and its text with all queries removed, and without the
/// address of licenses, which no web server gives out.
struct ExportedManifest {
    /// Paths relative to the manifest's folder, without queries: subtitles and sheets of thumbnails.
    private(set) var files: [String] = []
    /// The URIs with queries to request, keyed by path.
    private(set) var requests: [String: String] = [:]
    private(set) var text: String

    /// Limit on the sheets of thumbnails; a server makes six.
    private static let maximumSheetCount = 100

    init(_ source: String) {
        text = source.replacing(#/ *<dashif:Laurl>[^<]*</dashif:Laurl>\n/#, with: "")
        for match in source.matches(of: /<BaseURL>([A-Za-z0-9_-][A-Za-z0-9._-]*)<\/BaseURL>/) {
            add("\(match.1)", request: "\(match.1)")
        }
        let sheets = /media="([A-Za-z0-9_-]+)\$Number\$(\.jpg)(\?v=[A-Za-z0-9]+)" startNumber="1" duration="(\d+)"/
        guard let match = source.firstMatch(of: sheets), let seconds = Double(match.4), seconds > 0,
            let total = source.firstMatch(of: /mediaPresentationDuration="PT([0-9.]+)S"/).flatMap({ Double($0.1) })
        else { return }
        let count = min(Double(Self.maximumSheetCount), max(1, (total / seconds).rounded(.up)))
        for number in 1...Int(count) {
            add("\(match.1)\(number)\(match.2)", request: "\(match.1)\(number)\(match.2)\(match.3)")
        }
        text.replace("\(match.2)\(match.3)\"", with: "\(match.2)\"")
    }

    private mutating func add(_ path: String, request: String) {
        if requests.updateValue(request, forKey: path) == nil { files.append(path) }
    }
}
