import Accounts
import Catalogue
import Community
import DatabaseTestSupport
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import TestSupport
import Testing
import Workflows

@testable import WebSite

/// The pages on which members say what a sent video is about, without a script.
@Suite(.eitherEngine, .timeLimit(.minutes(3))) struct UploadPagesTests {
    private typealias Browser = AccountPagesTests.Browser

    private static let hostile = #"</p><script>alert(1)</script>"><img src=x onerror=alert(2)>{{name}}"#
    private static let markup = ["<script>alert", "<img src=x"]
    private static let page = "/comunidad/subir"

    private let fixture: TestAccounts
    private let catalogue: Catalogue
    private let community: Community
    private let table: EndpointTable

    init() async throws {
        fixture = try await TestAccounts()
        catalogue = try await Catalogue.open(fixture.database, program: "test")
        community = try await Community.open(fixture.database, program: "test", wallClock: fixture.clock.wallClock)
        table = EndpointTable.serving(
            InMemoryContent(), authority: TestOperator.authority(fixture.accounts), with: community)
    }

    private func browser(_ name: String, _ role: Role = .member) async throws -> Browser {
        try await .loggedIn(name, role, at: table, of: fixture)
    }

    private func send(by name: String, _ state: TitleState) async throws -> MemberUpload {
        let login = try await fixture.accounts.logIn(
            name, password: TestAccounts.password, from: TestAccounts.origin)
        guard case .session(let session) = login else { preconditionFailure("the account has no second factor") }
        let caller = Caller(session.principal, TestAccounts.origin)
        let upload = try await community.beginUpload(
            fileName: Self.hostile, fileExtension: "mp4", byteCount: 1_000, by: caller)
        var title = InMemoryContent.title("", state: state)
        title.file = upload.file
        _ = try await catalogue.add(title)
        return upload
    }

    @Test func aSentVideoIsDescribedAndPublished() async throws {
        let (ana, eva) = (try await browser("ana"), try await browser("eva"))
        let upload = try await send(by: "ana", .ready)
        try await ana.open(Self.page)
        #expect(ana.status == .ok && ana.html.contains("plays, and only you see it"))
        for text in Self.markup { #expect(!ana.html.contains(text)) }
        let path = "\(Self.page)/\(upload.id)"
        try await eva.open(path)
        #expect(eva.status == .notFound)

        try await ana.open(path)
        try await ana.submit(path, ["name": " ", "publish": "1"])
        #expect(ana.status == .unprocessableContent && ana.html.contains("the field `name` must not be empty"))
        try await ana.open(path)
        try await ana.submit(path, ["name": Self.hostile, "text": Self.hostile, "publish": ""])
        #expect(ana.path == path && ana.html.contains("plays, and only you see it"))
        for text in Self.markup { #expect(!ana.html.contains(text)) }
        try await ana.submit(path, ["name": "Last lap", "publish": "1"])
        #expect(ana.path.hasPrefix("/comunidad/video/") && ana.html.contains("<h1>Last lap</h1>"))
        let video = ana.path
        try await eva.open(video)
        #expect(eva.status == .ok)
        try await ana.open("\(video)/editar")
        #expect(ana.html.contains("Delete the video"))
        try await ana.submit("\(video)/retirar")
        try await eva.open(video)
        #expect(eva.status == .notFound)
    }

    @Test func whatCannotBePlayedSaysWhyAndIsDeleted() async throws {
        let (ana, viewer) = (try await browser("ana"), try await browser("viewer", .viewer))
        let upload = try await send(by: "ana", .failed)
        let path = "\(Self.page)/\(upload.id)"
        try await ana.open(path)
        #expect(ana.html.contains("cannot be played · &lt;broken&gt;"))
        try await ana.submit("\(path)/borrar")
        #expect(ana.path == Self.page && ana.html.contains("You have not sent a video yet."))
        try await viewer.open(Self.page)
        #expect(viewer.status == .forbidden)
    }

    private func sendPicture(_ file: [UInt8], to path: String, by browser: Browser) async throws {
        try await browser.open(path)
        let action = try #require(
            browser.html.firstMatch(of: /action="([^"]*\/imagen-propia\?csrf=[^"]+)" enctype/)?.1)
        let name = file.isEmpty ? "" : "a"
        let head = "--x\r\nContent-Disposition: form-data; name=\"image\"; filename=\"\(name)\"\r\n\r\n"
        try await browser.post(
            String(action), bytes: Array(head.utf8) + file + Array("\r\n--x--\r\n".utf8),
            type: "multipart/form-data; boundary=x")
    }

    @Test func anImageOfOnesOwnIsThePicture() async throws {
        let (ana, eva) = (try await browser("ana"), try await browser("eva"))
        let upload = try await send(by: "ana", .ready)
        let path = "\(Self.page)/\(upload.id)"
        try await sendPicture([0xFF, 0xD8, 0xFF, 7], to: path, by: ana)
        #expect(ana.status == .ok && ana.path == path, "\(ana.problem)")
        try await sendPicture([], to: path, by: ana)
        #expect(ana.status == .unprocessableContent && ana.problem.contains("Choose a JPEG or PNG"), "\(ana.status)")
        try await sendPicture(Array(repeating: 0xFF, count: ImageBody.poster.maximumByteCount + 1), to: path, by: ana)
        #expect(ana.status == .contentTooLarge && ana.problem.contains("the limit is 16 MiB"))
        try await ana.post("\(path)/imagen-propia", bytes: [], type: "multipart/form-data; boundary=x")
        #expect(ana.status == .forbidden, "a form of another site has no token")
        try await eva.open("/comunidad/perfil")
        let token = try #require(eva.html.firstMatch(of: /name="csrf" value="([^"]+)"/)?.1)
        try await eva.post(
            "\(path)/imagen-propia?csrf=\(token)", bytes: Array("--x--\r\n".utf8),
            type: "multipart/form-data; boundary=x")
        #expect(eva.status == .notFound)
    }
}
