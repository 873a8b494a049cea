import Testing

@testable import MediaFolders

struct FileTitleTests {
    @Test(arguments: [
        ("Summer_party.2024.mp4", "Summer party.2024", "Summer party.2024", false),
        ("Álbum 1/01.mp3", "01", "Álbum 1 – 01", true),
        ("Series/Season 02/S02E01.mkv", "S02E01", "Series – Season 02 – S02E01", true),
        ("Band/Album/Track 3.flac", "Track 3", "Album – Track 3", true),
        ("2024/Concert.mp4", "Concert", "2024 – Concert", false),
        ("recordings/canal/2024.mp4", "2024", "2024", true), (".hidden", ".hidden", ".hidden", false),
    ])
    func namesComeFromFilesAndFolders(_ file: String, _ plain: String, _ qualified: String, _ needsFolder: Bool) {
        let title = FileTitle(fileName: file)
        #expect(title.plain == plain)
        #expect(title.qualified == qualified)
        #expect(title.needsFolder == needsFolder)
    }
}
