import Testing

@testable import WebSite

@Suite struct BrowserNameTests {
    @Test(arguments: [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox", "Linux"),
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36",
            "Chrome", "Linux"
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36 Edg/120.0",
            "Edge", "Windows"
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/604.1",
            "Safari", "iPhone"
        ),
        ("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36", "Chrome", "Android"),
    ])
    func browsersHaveTheNamesThatPeopleKnow(_ field: String, _ browser: String, _ system: String) {
        let name = BrowserName(userAgent: field)
        #expect(name?.browser == browser && name?.system == system)
    }

    @Test(arguments: ["", "curl/8.5.0", "Mozilla/5.0", "antena/0.1.0"])
    func programsKeepTheirOwnNames(_ field: String) { #expect(BrowserName(userAgent: field) == nil) }
}
