import Foundation
import LibAV
import MediaWorkerTestSupport
import TableDocuments
import Testing

@testable import MediaWorker

/// PDF files made by the real worker, inside its confinement, and read by poppler.
struct DocumentWorkerTests {
    private let fixtures: WorkerFixtures

    init() throws { fixtures = try WorkerFixtures() }

    private static let columns = [
        TableDocument.Column("Date", share: 13), .init("Winner", share: 24), .init("Loser", share: 24),
        .init("Score", share: 18),
    ]

    private func document(_ names: [String], lines: [String] = []) -> TableDocument {
        let rows = names.enumerated().map { ["2026-11-30", $1, "Berta Ortiz", "15-\($0 % 14), 15-3"] }
        var document = TableDocument(
            title: "Club Norte", columns: Self.columns, rows: rows, pageLabel: "Page {page} of {count}",
            language: "en")
        document.lines = lines
        return document
    }

    private func print(_ document: TableDocument, environment: [String] = ["LANG=C.UTF-8"]) async throws -> String {
        let worker = DocumentWorkerProcess(executable: WorkerFixtures.executable, environment: environment)
        let path = fixtures.path("out.pdf")
        try Data(try await worker.pdf(document)).write(to: URL(filePath: path))
        return path
    }

    private func text(_ path: String) throws -> String {
        try WorkerFixtures.run("pdftotext", ["-layout", path, "-"])
    }

    private func failure(_ document: TableDocument, environment: [String] = ["LANG=C.UTF-8"]) async -> PDFError? {
        do { _ = try await print(document, environment: environment) } catch { return error as? PDFError }
        return nil
    }

    @Test func namesOfEachScriptAreFoundAndTheirFontsAreEmbedded() async throws {
        let names = [
            "Ana Núñez Ñandú", "Łukasz Żółć", "Ελένη Παπαδοπούλου", "Борис Щукин", "王小明", "田中さくら", "김철수",
        ]
        let path = try await print(document(names, lines: ["Competition: Open"]))
        let text = try text(path)
        for name in names + ["Club Norte", "Competition: Open", "Winner", "Page 1 of 1", "15-6, 15-3"] {
            #expect(text.contains(name), "\(name)")
        }
        let fonts = try WorkerFixtures.run("pdffonts", [path]).split(separator: "\n").dropFirst(2)
        #expect(!fonts.isEmpty && fonts.allSatisfy { $0.contains(" yes yes yes ") }, "\(fonts)")
        let facts = try WorkerFixtures.run("pdfinfo", [path])
        #expect(facts.contains("(A4)") && facts.contains(/Title: +Club Norte/))
    }

    @Test func aTableGoesOnWithItsHeadings() async throws {
        let names = (1...200).map { "Player number \($0) of many" }
        let pages = try text(try await print(document(names))).split(separator: "\u{0C}").map(String.init)
        #expect(pages.count > 2)
        for (index, page) in pages.enumerated() {
            #expect(page.contains("Winner") && page.contains("Club Norte"))
            #expect(page.contains("Page \(index + 1) of \(pages.count)"))
        }
        let all = pages.joined()
        for name in names { #expect(all.contains(name)) }
    }

    @Test func longNamesAreBrokenIntoLines() async throws {
        let name = (1...20).map { "Name\($0)" }.joined(separator: " ")
        let one = String(repeating: "Kqxj", count: 30)
        let text = try text(try await print(document([name, one, "Zoe" + String(repeating: "\u{0301}", count: 100)])))
        for part in name.split(separator: " ") { #expect(text.contains(part)) }
        let letters = text.filter { "Kqxj".contains($0) }
        #expect(letters.contains(one))
        // The columns beside it stay where they are.
        #expect(text.split(separator: "\n").allSatisfy { $0.count < 140 })
    }

    @Test func anEmptyTableIsAPage() async throws {
        var empty = document([])
        empty.note = "No results"
        let text = try text(try await print(empty))
        #expect(text.contains("No results") && text.contains("Page 1 of 1"))
    }

    @Test func theLongestDocumentStaysWithinTheLimits() async throws {
        let path = try await print(document((0..<TableDocument.maximumRowCount).map { "Player \($0)" }))
        let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        #expect(size < DocumentWorker.maximumFileByteCount / 4)
        #expect(try text(path).contains("Player 9999"))
    }

    @Test func whatIsNoTableIsRefused() async {
        var ragged = document(["Ana"])
        ragged.rows.append(["one cell"])
        #expect(await failure(ragged)?.code == .failed)
        var without = document([])
        without.columns = []
        #expect(await failure(without)?.code == .failed)
        let many = document(Array(repeating: "Ana", count: TableDocument.maximumRowCount + 1))
        #expect(await failure(many)?.reason == "the table of the document is not valid")
    }

    /// A library that cannot be loaded is as good as none.
    @Test func missingLibrariesAreNamedWithTheirPackages() async throws {
        try FileManager.default.createDirectory(atPath: fixtures.path("lib"), withIntermediateDirectories: true)
        _ = try fixtures.write("not a library", to: "lib/libpango-1.0.so.0")
        let error = await failure(document(["Ana"]), environment: ["LD_LIBRARY_PATH=\(fixtures.path("lib"))"])
        #expect(error?.code == .librariesMissing)
        #expect(error?.reason.contains("apt-get install libcairo2 libpango-1.0-0 libpangocairo-1.0-0") == true)
    }

    /// Fonts of the system can be read, and no other file, such as settings and fonts elsewhere.
    @Test(.enabled(if: LibAVRuntime.missingConfinement.isEmpty, "the kernel cannot confine processes"))
    func theWorkerReadsNoFileButFonts() async throws {
        let settings = try fixtures.write(
            """
            <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
            <fontconfig>
            <dir>/usr/share/fonts</dir>
            <match><edit name="family" mode="prepend" binding="strong"><string>DejaVu Serif</string></edit></match>
            </fontconfig>
            """, to: "fonts.conf")
        let path = try await print(document(["Ana Núñez"]), environment: ["FONTCONFIG_FILE=\(settings)"])
        let fonts = try WorkerFixtures.run("pdffonts", [path])
        #expect(fonts.contains("DejaVuSans") && !fonts.contains("Serif"))
    }
}
