import LibraryStorage
import Testing

struct ContentTypesTests {
    @Test(arguments: [
        ("song.mp3", "audio/mpeg"), ("a.m4a", "audio/mp4"), ("a.M4B", "audio/mp4"), ("a.aac", "audio/aac"),
        ("a.ogg", "audio/ogg"), ("a.oga", "audio/ogg"), ("a.opus", "audio/ogg"), ("a.flac", "audio/flac"),
        ("a.wav", "audio/wav"), ("a.wave", "audio/wav"), ("a.aif", "audio/aiff"), ("a.aiff", "audio/aiff"),
        ("a.w64", "application/octet-stream"), ("a.wma", "audio/x-ms-wma"), ("a.wv", "audio/x-wavpack"),
        ("a.mka", "audio/x-matroska"), ("a.aifc", "audio/aiff"), ("a.spx", "audio/ogg"), ("a.MP2", "audio/mpeg"),
        ("data/movies/film.mp4", "video/mp4"), ("storyboard-1.jpg", "image/jpeg"), ("film.es.VTT", "text/vtt"),
        ("folder.mp3/file", "application/octet-stream"), ("file", "application/octet-stream"),
        ("film.", "application/octet-stream"), ("", "application/octet-stream"),
    ])
    func theExtensionDecides(file: String, type: String) {
        #expect(ContentTypes.type(ofFile: file) == type)
    }
}
