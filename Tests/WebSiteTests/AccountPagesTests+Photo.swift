import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Testing

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

    @Test func aPhotoNeedsTheTokenOfTheSession() async throws {
        let browser = try await member("ana")
        for action in ["/cuenta/foto", "/cuenta/foto?csrf=", "/cuenta/foto?csrf=x"] {
            try await browser.post(
                action, bytes: Array(Self.form("x").utf8), type: "multipart/form-data; boundary=x")
            #expect(browser.status == .forbidden)
        }
    }
}
