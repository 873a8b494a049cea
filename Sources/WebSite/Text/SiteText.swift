import Catalogue
import HTTPEndpoints

/// The texts of the site in one language. Templates read the fields by name, as in `{{t.live}}`.
package struct SiteText: Sendable {
    var language: String
    var overview, videoClub, videos, radio, live, community, about, skip, tagline: String
    var search, searchTitles, searchTracks, find, nothingFound, clear, more, first, seeAll: String
    var sortBy, byTitle, byNewest, byShortest, byLongest, byPrice, byRating, byRelevance: String
    var sectionsLabel, allTitles, featured, new, offers, free, genre, allGenres, nothingHere, listsForMembers,
        tooLong, tryAgain, cast: String
    var series, seasonName, specials, furtherTitles, albums, artists, noSeries, noAlbums: String
    var oneTitle, manyTitles, oneTrack, manyTracks: String
    var noTitles, noTracks, noHLS, play, nowPlaying, duration, artist, album, cover, poster, player, chapters: String
    var stateIdle, stateLive, stateInterrupted, offAir, viewer, viewers, watch, edit: String
    var noSuchTitle, noSuchTrack, titleFailed, trackFailed, notReadyYet, preparationCancelled, leftOut: String
    var pageNotFound, pageNotFoundText, requestFailed, help: String
    var queued, downloading, inPreparation, probing, indexing, transcoding, failed, cancelled: String
    var chartTitle, chartOfHoursTitle, chartAsBars, chartByHours, chartEmpty, liveChannels, videoTitles, audioTracks,
        shareHeader, channelsOnAir: String
    var shareHeading, version, byline, howToPush, howToPushText, howToPlay, howToPlayText, api, category, count,
        share: String
    var apiIntroduction, apiResources, apiForEveryone, apiNeedsCredential, apiField, apiKind, apiMeaning, apiProblems,
        apiProblemsText: String

    /// The texts in Spanish if the visitor prefers it to English (RFC 9110 §12.5.4, without wildcards), otherwise in
    /// English.
    package static func preferred(_ acceptLanguage: String?) -> SiteText {
        switch SiteLanguage.preferred(acceptLanguage) {
        case .english: english
        case .spanish: spanish
        }
    }

    /// The reason why a title or track cannot be played.
    func mediaFailure(_ reason: String) -> String { SiteLanguage(rawValue: language)?.mediaFailure(reason) ?? reason }

    /// The number of viewers, such as `1 viewer` or `2 viewers`.
    func viewerCount(_ count: Int) -> String { CountedNoun(viewer, viewers)(count) }

    /// The number of titles of a collection, which is counted up to a limit.
    func titleCount(_ count: Int) -> String { Self.counted(count, oneTitle, manyTitles) }

    /// The number of tracks of a collection.
    func trackCount(_ count: Int) -> String { Self.counted(count, oneTrack, manyTracks) }

    private static func counted(_ count: Int, _ one: String, _ many: String) -> String {
        let isLimit = count >= LibraryCollection<TitleRecord>.maximumCount
        return CountedNoun(one, many)(count, isLimit: isLimit)
    }

    /// The heading of a season; `nil` for titles without one. Season 0 has what belongs to no other.
    func season(_ number: Int?) -> String {
        switch number {
        case 0: specials
        case let number?: "\(seasonName) \(number)"
        case nil: furtherTitles
        }
    }

    /// The name of an order of lists.
    func order(_ order: RecordOrder) -> String {
        switch order {
        case .title: byTitle
        case .newest: byNewest
        case .duration: byShortest
        case .longest: byLongest
        }
    }

    /// The name of an order of lists of titles that can be played.
    func order(_ order: ShelfOrder) -> String {
        switch order {
        case .newest: byNewest
        case .title: byTitle
        case .price: byPrice
        case .rating: byRating
        case .relevance: byRelevance
        }
    }

    /// The name of a section; `nil` for all titles.
    func section(_ section: TitleSection?) -> String {
        switch section {
        case .featured: featured
        case .new: new
        case .offers: offers
        case .free: free
        case nil: allTitles
        }
    }

    /// The text for a state of a title, track or job.
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
        overview: "Home", videoClub: "Video club", videos: "Videos", radio: "Radio", live: "Live",
        community: "Community", about: "About",
        skip: "Skip to content", tagline: "Live channels, films and music.",
        search: "Search", searchTitles: "Search titles", searchTracks: "Search tracks, artists, albums", find: "Find",
        nothingFound: "Nothing found for", clear: "Show all", more: "More", first: "First page",
        seeAll: "See all", sortBy: "Sort by:", byTitle: "title", byNewest: "newest first",
        byShortest: "shortest first", byLongest: "longest first", byPrice: "cheapest first",
        byRating: "best rated first", byRelevance: "best match first",
        sectionsLabel: "Sections", allTitles: "All", featured: "Recommended", new: "New", offers: "Offers",
        free: "Free", genre: "Genre", allGenres: "All genres", nothingHere: "There is nothing here yet.",
        listsForMembers: "The list of titles is for members.",
        tooLong: "This took too long, and nothing was found yet.", tryAgain: "Try again",
        cast: "With", series: "Series", seasonName: "Season", specials: "Specials", furtherTitles: "Further titles",
        albums: "Albums", artists: "Artists",
        noSeries: "No series yet. Titles whose folder, notes or details name a series appear here.",
        noAlbums: "No albums yet. Tracks whose tags, folder or details name an album appear here.",
        oneTitle: "title", manyTitles: "titles", oneTrack: "track", manyTracks: "tracks",
        noTitles: "No films yet. Put a file into media/vod and it appears here.",
        noTracks: "No music yet. Put a file into media/audio and it appears here.",
        noHLS: "This browser cannot play HLS. Open this URL in VLC:",
        play: "Play", nowPlaying: "Now playing", duration: "Duration", artist: "Artist", album: "Album",
        cover: "Cover of", poster: "Poster of", player: "Player", chapters: "Chapters",
        stateIdle: "Off air", stateLive: "Live", stateInterrupted: "Interrupted",
        offAir: "This channel is off the air. The video appears here automatically when it goes live.",
        viewer: "viewer", viewers: "viewers", watch: "Watch", edit: "Edit details",
        noSuchTitle: "There is no such title. Available titles:",
        noSuchTrack: "There is no such track. Available tracks:",
        titleFailed: "This title cannot be played.", trackFailed: "This track cannot be played.",
        notReadyYet: "This is still being prepared. It appears below when it is ready.",
        preparationCancelled: "The preparation was cancelled.",
        leftOut: "Not included in this title:",
        pageNotFound: "Page not found",
        pageNotFoundText: "There is no page at this address. It may have been moved or removed.",
        requestFailed: "This page cannot be shown", help: "Help",
        queued: "Waiting", downloading: "Importing", inPreparation: "In preparation", probing: "Analysing",
        indexing: "Indexing", transcoding: "Converting",
        failed: "Failed", cancelled: "Cancelled",
        chartTitle: "Share of channels, video titles and audio tracks",
        chartOfHoursTitle: "Hours of video titles and audio tracks", chartAsBars: "As bars", chartByHours: "By hours",
        chartEmpty: "Nothing here yet",
        liveChannels: "Live channels", videoTitles: "Video titles", audioTracks: "Audio tracks",
        shareHeader: "Content", channelsOnAir: "Channels on the air right now",
        shareHeading: "What there is to watch and hear", version: "Version", byline: "By the Antena founders",
        howToPush: "How to broadcast",
        howToPushText: "Publish video, audio or both over RTSP to one of the channels:",
        howToPlay: "How to watch elsewhere", howToPlayText: "Use these URLs in any HLS player:",
        api: "JSON API for programs:", category: "Category", count: "Count", share: "Share",
        apiIntroduction: "What programs can ask this server for. The same for programs, as OpenAPI 3.1:",
        apiResources: "Resources", apiForEveryone: "For everyone, as far as it is public",
        apiNeedsCredential: "Needs a credential that may do this", apiField: "Field", apiKind: "Where or what",
        apiMeaning: "Meaning", apiProblems: "Problems",
        apiProblemsText:
            "The member “type” of application/problem+json ends with one of these names, which do not change.")

    package static let spanish = SiteText(
        language: "es",
        overview: "Inicio", videoClub: "Videoclub", videos: "Vídeos", radio: "Radio", live: "Directo",
        community: "Comunidad",
        about: "Acerca de",
        skip: "Saltar al contenido", tagline: "Canales en directo, películas y música.",
        search: "Buscar", searchTitles: "Buscar títulos", searchTracks: "Buscar pistas, artistas, álbumes",
        find: "Buscar", nothingFound: "No se ha encontrado nada para", clear: "Mostrar todo", more: "Más",
        first: "Primera página", seeAll: "Ver todo",
        sortBy: "Ordenar por:", byTitle: "título", byNewest: "lo más nuevo", byShortest: "lo más corto",
        byLongest: "lo más largo", byPrice: "lo más barato", byRating: "lo mejor valorado",
        byRelevance: "lo más parecido",
        sectionsLabel: "Secciones", allTitles: "Todo", featured: "Recomendado", new: "Novedades", offers: "Ofertas",
        free: "Gratis", genre: "Género", allGenres: "Todos los géneros", nothingHere: "Aquí todavía no hay nada.",
        listsForMembers: "La lista de títulos es para socios.",
        tooLong: "Ha tardado demasiado y todavía no se ha encontrado nada.", tryAgain: "Intentar de nuevo",
        cast: "Con", series: "Series", seasonName: "Temporada", specials: "Especiales", furtherTitles: "Otros títulos",
        albums: "Álbumes", artists: "Artistas",
        noSeries: "Todavía no hay series. Aquí aparecen los títulos cuya carpeta, notas o datos nombran una serie.",
        noAlbums: "Todavía no hay álbumes. Aquí aparecen las pistas cuyas etiquetas, carpeta o datos nombran un álbum.",
        oneTitle: "título", manyTitles: "títulos", oneTrack: "pista", manyTracks: "pistas",
        noTitles: "Todavía no hay películas. Ponga un archivo en media/vod y aparecerá aquí.",
        noTracks: "Todavía no hay música. Ponga un archivo en media/audio y aparecerá aquí.",
        noHLS: "Este navegador no puede reproducir HLS. Abra esta dirección en VLC:",
        play: "Reproducir", nowPlaying: "Sonando", duration: "Duración", artist: "Artista", album: "Álbum",
        cover: "Carátula de", poster: "Cartel de", player: "Reproductor", chapters: "Capítulos",
        stateIdle: "Sin emisión", stateLive: "En directo", stateInterrupted: "Interrumpido",
        offAir: "Este canal no está emitiendo. El vídeo aparecerá aquí automáticamente cuando empiece la emisión.",
        viewer: "espectador", viewers: "espectadores", watch: "Ver", edit: "Editar los datos",
        noSuchTitle: "No existe ese título. Títulos disponibles:",
        noSuchTrack: "No existe esa pista. Pistas disponibles:",
        titleFailed: "Este título no se puede reproducir.", trackFailed: "Esta pista no se puede reproducir.",
        notReadyYet: "Todavía se está preparando. Aparecerá abajo cuando esté listo.",
        preparationCancelled: "Se canceló la preparación.",
        leftOut: "No incluido en este título:",
        pageNotFound: "Página no encontrada",
        pageNotFoundText: "No hay ninguna página en esta dirección. Puede que se haya movido o eliminado.",
        requestFailed: "Esta página no se puede mostrar", help: "Ayuda",
        queued: "En espera", downloading: "Importando", inPreparation: "En preparación", probing: "Analizando",
        indexing: "Indexando", transcoding: "Convirtiendo",
        failed: "Error", cancelled: "Cancelado",
        chartTitle: "Proporción de canales, títulos de vídeo y pistas de audio",
        chartOfHoursTitle: "Horas de títulos de vídeo y pistas de audio", chartAsBars: "En barras",
        chartByHours: "Por horas",
        chartEmpty: "Todavía no hay nada",
        liveChannels: "Canales en directo", videoTitles: "Títulos de vídeo", audioTracks: "Pistas de audio",
        shareHeader: "Contenido", channelsOnAir: "Canales que emiten ahora",
        shareHeading: "Qué hay para ver y oír", version: "Versión", byline: "De los fundadores de Antena",
        howToPush: "Cómo emitir",
        howToPushText: "Envíe vídeo, audio o ambos por RTSP a uno de los canales:",
        howToPlay: "Cómo ver en otros reproductores",
        howToPlayText: "Use estas direcciones en cualquier reproductor HLS:",
        api: "API JSON para programas:", category: "Categoría", count: "Cantidad", share: "Proporción",
        apiIntroduction: "Lo que los programas pueden pedir a este servidor. Lo mismo para programas, en OpenAPI 3.1:",
        apiResources: "Recursos", apiForEveryone: "Para todos, en la medida en que sea público",
        apiNeedsCredential: "Necesita una credencial que lo permita", apiField: "Campo", apiKind: "Dónde o qué",
        apiMeaning: "Significado", apiProblems: "Problemas",
        apiProblemsText:
            "El miembro «type» de application/problem+json termina con uno de estos nombres, que no cambian.")
}
