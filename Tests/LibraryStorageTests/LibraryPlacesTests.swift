import MediaStorage
import Testing

@testable import LibraryStorage

@Suite struct LibraryPlacesTests {
    private let places = LibraryPlaces(
        mediaDirectory: "/srv/media/", recordingsDirectory: "/var/data/recordings", dataDirectory: "/var/data")

    @Test(arguments: [
        ("/srv/media/vod/a b.mp4", "media/vod/a b.mp4"),
        ("/var/data/recordings/canal/1.mp4", "recordings/canal/1.mp4"),
        ("/var/data/movies/a.mp4", "data/movies/a.mp4"),
    ])
    func pathsHavePlacesAndBack(path: String, place: String) {
        #expect(places.place(ofPath: path) == place)
        #expect(places.path(ofPlace: place) == path)
    }

    @Test(arguments: ["/srv/mediathek/a.mp4", "/srv/media", "relative/a.mp4", "/etc/passwd"])
    func otherPathsHaveNone(path: String) { #expect(places.place(ofPath: path) == nil) }

    @Test func foldersMayMove() {
        let moved = LibraryPlaces(mediaDirectory: "/mnt/m", recordingsDirectory: nil, dataDirectory: "/mnt/d")
        #expect(moved.path(ofPlace: "media/vod/a.mp4") == "/mnt/m/vod/a.mp4")
        #expect(moved.path(ofPlace: "recordings/a.mp4") == nil)
    }

    @Test(arguments: [
        "media/vod/film.mp4", "media/vod/a\u{1}b.mp4", "media/vod/" + String(repeating: "x", count: 250) + ".mp4",
        String(repeating: "folder/", count: 140) + "film.mp4", "media/vod/.antena-x.mp4",
    ])
    func everyPlaceHasAKeyThatStoresTake(place: String) throws {
        let (key, other) = (ObjectKeys.key(forPlace: place), ObjectKeys.key(forPlace: place))
        try MediaKey.check(key)
        #expect(key != other)
    }
}
