import HTTPEndpoints
import LibraryDetails

/// The texts of the form for what people read about a title or track.
struct DetailText {
    let heading, introduction, save, saved, changedMeanwhile, back: String
    let cover, coverText, chooseImage, useImage, removeImage, imageNotUsable, imageTooLarge: String
    /// The labels of the fields.
    let labels: [DetailField: String]
    /// What a field accepts, for a value that it does not.
    let refusals: [DetailField.Kind: String]

    static func preferred(_ acceptLanguage: String?) -> DetailText {
        switch SiteLanguage.preferred(acceptLanguage) {
        case .english: english
        case .spanish: spanish
        }
    }

    private static let english = DetailText(
        heading: "Edit details",
        introduction:
            "What you write here is shown instead of what the file says. An empty field shows again what the file says.",
        save: "Save", saved: "Saved.",
        changedMeanwhile: "Somebody else has changed these details meanwhile. Check them and save again.",
        back: "Back to the title", cover: "Cover",
        coverText: "The image that you send is shown instead of the one beside the file or in it.",
        chooseImage: "Image, JPEG or PNG", useImage: "Use this image", removeImage: "Remove this image",
        imageNotUsable: "This file cannot be used as an image. Choose a JPEG or PNG file.",
        imageTooLarge: "The image is too large; the limit is 16 MiB.",
        labels: [
            .title: "Title", .description: "Description", .year: "Year", .genres: "Genres, separated by commas",
            .cast: "Cast, separated by commas", .ageRating: "Age rating",
            .website: "Web address", .series: "Series", .season: "Season", .episode: "Episode", .artist: "Artist",
            .album: "Album", .trackNumber: "Track number",
        ],
        refusals: [
            .line: "At most 300 characters.", .text: "At most 10,000 characters.",
            .number: "A whole number, such as 1987.", .lines: "At most 20 genres or 50 people, of 64 characters each.",
            .address: "An address that begins with https:// or http://.",
        ])

    private static let spanish = DetailText(
        heading: "Editar los datos",
        introduction:
            "Lo que escriba aquí se muestra en lugar de lo que dice el archivo. Un campo vacío vuelve a mostrar lo que "
            + "dice el archivo.",
        save: "Guardar", saved: "Guardado.",
        changedMeanwhile: "Otra persona ha cambiado estos datos mientras tanto. Revíselos y guarde de nuevo.",
        back: "Volver al título", cover: "Carátula",
        coverText: "La imagen que envíe se muestra en lugar de la que está junto al archivo o dentro de él.",
        chooseImage: "Imagen, JPEG o PNG", useImage: "Usar esta imagen", removeImage: "Quitar esta imagen",
        imageNotUsable: "Este archivo no sirve como imagen. Elija un archivo JPEG o PNG.",
        imageTooLarge: "La imagen es demasiado grande; el límite es de 16 MiB.",
        labels: [
            .title: "Título", .description: "Descripción", .year: "Año", .genres: "Géneros, separados por comas",
            .cast: "Reparto, separado por comas", .ageRating: "Calificación por edades",
            .website: "Dirección web", .series: "Serie", .season: "Temporada", .episode: "Episodio",
            .artist: "Artista", .album: "Álbum", .trackNumber: "Número de pista",
        ],
        refusals: [
            .line: "Como máximo 300 caracteres.", .text: "Como máximo 10 000 caracteres.",
            .number: "Un número entero, como 1987.",
            .lines: "Como máximo 20 géneros o 50 personas, de 64 caracteres cada uno.",
            .address: "Una dirección que empiece por https:// o http://.",
        ])
}
