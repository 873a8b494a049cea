/// The name of a browser and its system as people know them, such as Firefox and Linux, from a User-Agent field
/// (RFC 9110 §10.1.5). Browsers name others there, too, so that the order counts.
struct BrowserName: Sendable, Hashable {
    var browser: String
    /// `nil` if the field does not say.
    var system: String?

    private static let browsers = [
        ("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"),
        ("SamsungBrowser/", "Samsung Internet"),
        ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("HeadlessChrome/", "Chrome"),
        ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
        ("Mac OS X", "macOS"), ("Linux", "Linux"),
    ]

    /// - Parameter field: the field of a request.
    /// - Returns: `nil` for programs that are no browsers; their own name says more.
    init?(userAgent field: String) {
        guard field.hasPrefix("Mozilla/"), let (_, browser) = Self.browsers.first(where: { field.contains($0.0) })
        else { return nil }
        self.browser = browser
        system = Self.systems.first { field.contains($0.0) }?.1
    }
}
