import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Testing
import Workflows

@testable import WebSite

/// The photo on the account page, sent by a form.
extension AccountPagesTests {
    /// A form with a file, as browsers send it.
    private static func form(_ file: String, name: String = "me.jpg") -> String {
        "--x\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"\(name)\"\r\n"
            + "Content-Type: image/jpeg\r\n\r\n\(file)\r\n--x--\r\n"
    }

    @Test func aPhotoIsSentShownAndRemoved() async throws {
        let browser = try await member("ana")
        try await browser.open("/cuenta")
        let action = try #require(browser.html.firstMatch(of: /action="(\/cuenta\/foto\?csrf=[^"]+)" enctype/)?.1)
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 7]
        let body = Array(Self.form("JPEG").utf8).split(separator: Array("JPEG".utf8)).joined(separator: jpeg)
        try await browser.post(String(action), bytes: Array(body), type: "multipart/form-data; boundary=x")
        #expect(browser.status == .ok && browser.path == "/cuenta?hecho=1")
        #expect(browser.html.contains("<img class=\"photo\" src=\"/api/v1/me/photo?v="))
        try await browser.submit("/cuenta/foto/quitar")
        #expect(!browser.html.contains("class=\"photo\""))
    }

    @Test(arguments: ["text", ""])
    func aFormWithoutAnImageSaysSo(_ file: String) async throws {
        let browser = try await member("ana")
        try await browser.open("/cuenta")
        let action = try #require(browser.html.firstMatch(of: /action="(\/cuenta\/foto\?csrf=[^"]+)" enctype/)?.1)
        let body = Self.form(file, name: file.isEmpty ? "" : "me.jpg")
        try await browser.post(String(action), bytes: Array(body.utf8), type: "multipart/form-data; boundary=x")
        #expect(browser.status == .unprocessableContent && browser.problem.contains("Choose a JPEG or PNG"))
    }

    @Test(arguments: [true, false]) func aPhotoComesWithTheSignUp(isUsable: Bool) async throws {
        let browser = Browser(table)
        try await browser.open("/cuenta/registro")
        let jpeg: [UInt8] = isUsable ? [0xFF, 0xD8, 0xFF, 7] : Array("text".utf8)
        let values = ["username": "ana", "password": TestAccounts.password]
        // What is wrong with the form is said before anybody looks at the image.
        try await browser.submit("/cuenta/registro", ["username": "ana", "password": "x"], file: ("photo", jpeg))
        #expect(browser.status == .unprocessableContent && browser.html.contains("value=\"ana\""))
        try await browser.submit("/cuenta/registro", values, file: ("photo", jpeg))
        #expect(browser.status == .ok && browser.heading == "ana")
        #expect(browser.html.contains("<img class=\"photo\"") == isUsable)
        #expect(browser.problem.contains("Choose a JPEG or PNG") != isUsable)
    }

    @Test func aPhotoThatIsTooLargeLeavesTheForm() async throws {
        let browser = Browser(table)
        try await browser.open("/cuenta/registro")
        let large = [UInt8](repeating: 0xFF, count: PhotoUpload.maximumByteCount + 1)
        let values = ["username": "ana", "password": TestAccounts.password]
        try await browser.submit("/cuenta/registro", values, file: ("photo", large))
        #expect(browser.status == .contentTooLarge && browser.problem.contains("8 MB"))
        try await browser.submit("/cuenta/registro", values)
        #expect(browser.heading == "ana")
    }

    @Test func aPhotoNeedsTheTokenOfTheSession() async throws {
        let browser = try await member("ana")
        for action in ["/cuenta/foto", "/cuenta/foto?csrf=", "/cuenta/foto?csrf=x"] {
            try await browser.post(
                action, bytes: Array(Self.form("x").utf8), type: "multipart/form-data; boundary=x")
            #expect(browser.status == .forbidden)
        }
    }
}
