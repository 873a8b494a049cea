/// The words of the site. Templates read the fields by name, as `{{t.live}}`.
package struct SiteText: Sendable {
    var language: String
    var overview, videoClub, radio, live, about, skip, tagline: String
    var search, searchTitles, searchTracks, find, nothingFound, clear, more, first, seeAll: String
    var noTitles, noTracks, noHLS, play, nowPlaying, duration, artist, album, cover, poster, player, chapters: String
    var stateIdle, stateLive, stateInterrupted, offAir, viewer, viewers, watch: String
    var noSuchTitle, noSuchTrack, titleFailed, trackFailed, notReadyYet, preparationCancelled, leftOut: String
    var pageNotFound, pageNotFoundText, requestFailed: String
    var queued, downloading, inPreparation, probing, indexing, transcoding, failed, cancelled: String
    var chartTitle, chartEmpty, liveChannels, videoTitles, audioTracks, shareHeading, channelsOnAir: String
    var version, byline, howToPush, howToPushText, howToPlay, howToPlayText, api, category, count, share: String

    /// Spanish where the visitor prefers it to English (RFC 9110 §12.5.4, without wildcards).
    package static func preferred(_ acceptLanguage: String?) -> SiteText {
        var best = (weight: 0.0, text: english)
        for entry in (acceptLanguage ?? "").prefix(500).split(separator: ",") {
            let parts = entry.split(separator: ";")
            let language = (parts.first ?? "").drop(while: \.isWhitespace).lowercased()
            let weight = parts.dropFirst().first.flatMap { $0.split(separator: "=").last }.flatMap { Double($0) } ?? 1
            guard weight > best.weight, weight.isFinite else { continue }
            if language.hasPrefix("es") { best = (weight, spanish) }
            if language.hasPrefix("en") { best = (weight, english) }
        }
        return best.text
    }

    /// `1 viewer`, `2 viewers`
    func viewerCount(_ count: Int) -> String { "\(count) \(count == 1 ? viewer : viewers)" }

    func state(_ state: String) -> String {
        switch state {
        case "queued": queued
        case "downloading": downloading
        case "probing": probing
        case "indexing": indexing
        case "transcoding": transcoding
        case "failed": failed
        case "cancelled": cancelled
        default: state
        }
    }

    package static let english = SiteText(
        language: "en",
        overview: "Home", videoClub: "Video club", radio: "Radio", live: "Live", about: "About",
        skip: "Skip to content", tagline: "Live channels, films and music from this house.",
        search: "Search", searchTitles: "Search titles", searchTracks: "Search tracks, artists, albums", find: "Find",
        nothingFound: "Nothing found for", clear: "Show all", more: "More", first: "Back to the beginning",
        seeAll: "See all",
        noTitles: "No films yet. Put a file into media/vod and it appears here.",
        noTracks: "No music yet. Put a file into media/audio and it appears here.",
        noHLS: "This browser does not play HLS by itself. Open this address in VLC:",
        play: "Play", nowPlaying: "Now playing", duration: "Duration", artist: "Artist", album: "Album",
        cover: "Cover of", poster: "Poster of", player: "Player", chapters: "Chapters",
        stateIdle: "Off air", stateLive: "Live", stateInterrupted: "Interrupted",
        offAir: "Nobody is broadcasting here right now. The picture appears by itself when somebody does.",
        viewer: "viewer", viewers: "viewers", watch: "Watch",
        noSuchTitle: "There is no such title. These are the titles there are:",
        noSuchTrack: "There is no such track. These are the tracks there are:",
        titleFailed: "This title cannot be played.", trackFailed: "This track cannot be played.",
        notReadyYet: "This is still being prepared. It appears below when it is ready.",
        preparationCancelled: "Its preparation was cancelled.",
        leftOut: "Not in this title:",
        pageNotFound: "Page not found",
        pageNotFoundText: "There is no page at this address. It may have been moved or removed.",
        requestFailed: "This page cannot be shown",
        queued: "Waiting", downloading: "Being fetched", inPreparation: "In preparation", probing: "Being examined",
        indexing: "Being indexed", transcoding: "Being converted",
        failed: "Failed", cancelled: "Cancelled",
        chartTitle: "Share of channels, video titles and audio tracks", chartEmpty: "Nothing here yet",
        liveChannels: "Live channels", videoTitles: "Video titles", audioTracks: "Audio tracks",
        shareHeading: "What there is", channelsOnAir: "Channels on the air right now",
        version: "Version", byline: "By the Antena founders", howToPush: "How to broadcast",
        howToPushText: "Push video, sound or both by RTSP to one of the channels:",
        howToPlay: "How to watch elsewhere", howToPlayText: "Every player that knows HLS takes these addresses:",
        api: "For programs there is a JSON API:", category: "Category", count: "Count", share: "Share")

    package static let spanish = SiteText(
        language: "es",
        overview: "Inicio", videoClub: "Videoclub", radio: "Radio", live: "Directo", about: "Acerca de",
        skip: "Saltar al contenido", tagline: "Canales en directo, películas y música de esta casa.",
        search: "Buscar", searchTitles: "Buscar títulos", searchTracks: "Buscar pistas, artistas, álbumes",
        find: "Buscar", nothingFound: "No se ha encontrado nada para", clear: "Mostrar todo", more: "Más",
        first: "Volver al principio", seeAll: "Ver todo",
        noTitles: "Todavía no hay películas. Ponga un archivo en media/vod y aparecerá aquí.",
        noTracks: "Todavía no hay música. Ponga un archivo en media/audio y aparecerá aquí.",
        noHLS: "Este navegador no reproduce HLS por sí mismo. Abra esta dirección en VLC:",
        play: "Reproducir", nowPlaying: "Sonando", duration: "Duración", artist: "Artista", album: "Álbum",
        cover: "Carátula de", poster: "Cartel de", player: "Reproductor", chapters: "Capítulos",
        stateIdle: "Sin emisión", stateLive: "En directo", stateInterrupted: "Interrumpido",
        offAir: "Ahora mismo no emite nadie. La imagen aparecerá sola cuando alguien emita.",
        viewer: "espectador", viewers: "espectadores", watch: "Ver",
        noSuchTitle: "No existe ese título. Estos son los títulos que hay:",
        noSuchTrack: "No existe esa pista. Estas son las pistas que hay:",
        titleFailed: "Este título no se puede reproducir.", trackFailed: "Esta pista no se puede reproducir.",
        notReadyYet: "Todavía se está preparando. Aparecerá abajo cuando esté listo.",
        preparationCancelled: "Se canceló su preparación.",
        leftOut: "No está en este título:",
        pageNotFound: "Página no encontrada",
        pageNotFoundText: "No hay ninguna página en esta dirección. Puede que se haya movido o eliminado.",
        requestFailed: "Esta página no se puede mostrar",
        queued: "En espera", downloading: "Descargando", inPreparation: "En preparación", probing: "Examinando",
        indexing: "Indexando", transcoding: "Convirtiendo",
        failed: "Error", cancelled: "Cancelado",
        chartTitle: "Proporción de canales, títulos de vídeo y pistas de audio",
        chartEmpty: "Todavía no hay nada",
        liveChannels: "Canales en directo", videoTitles: "Títulos de vídeo", audioTracks: "Pistas de audio",
        shareHeading: "Lo que hay", channelsOnAir: "Canales que emiten ahora",
        version: "Versión", byline: "De los fundadores de Antena", howToPush: "Cómo emitir",
        howToPushText: "Envíe vídeo, sonido o ambos por RTSP a uno de los canales:",
        howToPlay: "Cómo ver en otros reproductores",
        howToPlayText: "Cualquier reproductor que entienda HLS acepta estas direcciones:",
        api: "Para programas hay una API JSON:", category: "Categoría", count: "Cantidad", share: "Proporción")
}
