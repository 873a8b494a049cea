import HTTPEndpoints
import JSONDocument

/// The texts of the form for what people read about a channel.
struct ChannelText {
    let heading, introduction, title, description, artist, album, website, cover, save, saved, back: String
    let image, imageText, chooseImage, useImage, removeImage, imageNotUsable, imageTooLarge, imageNotStored: String
    let titleRefusal, descriptionRefusal, lineRefusal, websiteRefusal, coverRefusal, coverNotAllowed: String
    let changedMeanwhile, fileHasMistakes, notPossible, fileNotWritable, busy: String
    let language: SiteLanguage

    static func preferred(_ acceptLanguage: String?) -> ChannelText {
        switch SiteLanguage.preferred(acceptLanguage) {
        case .english: english
        case .spanish: spanish
        }
    }

    /// What is wrong with the file of the channels; the places of its mistakes are the same in every language, and what
    /// is wrong there is English.
    func mistake(_ error: JSONFileError) -> String {
        guard let issue = error.issues.first else { return fileHasMistakes }
        switch language {
        case .english: return "\(fileHasMistakes) \(issue)"
        case .spanish: return "\(fileHasMistakes) \(issue.field)"
        }
    }

    private static let english = ChannelText(
        heading: "Edit the channel",
        introduction:
            "This is what people see on the Live page and in apps. A change interrupts neither viewers nor broadcasters.",
        title: "Title", description: "Description", artist: "Artist", album: "Album", website: "Web address",
        cover: "Image: a file in the media folder, or an address that begins with https://", save: "Save",
        saved: "Saved.",
        back: "Back to the Live page",
        image: "Image", imageText: "The image that you send is shown instead of the one named above.",
        chooseImage: "Image, JPEG or PNG", useImage: "Use this image", removeImage: "Remove this image",
        imageNotUsable: "This file cannot be used as an image. Choose a JPEG or PNG file.",
        imageTooLarge: "The image is too large; the limit is 16 MiB.",
        imageNotStored: "The server cannot write the image to its media folder.",
        titleRefusal: "At most 200 characters.", descriptionRefusal: "At most 1,000 characters.",
        lineRefusal: "At most 300 characters.",
        websiteRefusal: "An address that begins with https:// or http://.",
        coverRefusal: "The path of a file in the media folder, or an address that begins with https://.",
        coverNotAllowed: "Files outside of the media folder are named on the server's machine only.",
        changedMeanwhile: "Somebody else has changed this channel meanwhile. Check it and save again.",
        fileHasMistakes: "Nothing was saved, because channels.json has a mistake:",
        notPossible: "Nothing was saved, because the change is not possible.",
        fileNotWritable: "Nothing was saved, because the server cannot write channels.json.",
        busy: "Nothing was saved, because the server is busy. Try again in a moment.",
        language: .english)

    private static let spanish = ChannelText(
        heading: "Editar el canal",
        introduction:
            "Esto es lo que se ve en la página Directo y en las aplicaciones. Nadie que esté mirando o emitiendo se "
            + "interrumpe.",
        title: "Título", description: "Descripción", artist: "Artista", album: "Álbum", website: "Dirección web",
        cover: "Imagen: un archivo de la carpeta de medios, o una dirección que empiece por https://", save: "Guardar",
        saved: "Guardado.", back: "Volver a Directo",
        image: "Imagen", imageText: "La imagen que envíe se muestra en lugar de la indicada arriba.",
        chooseImage: "Imagen, JPEG o PNG", useImage: "Usar esta imagen", removeImage: "Quitar esta imagen",
        imageNotUsable: "Este archivo no sirve como imagen. Elija un archivo JPEG o PNG.",
        imageTooLarge: "La imagen es demasiado grande; el límite es de 16 MiB.",
        imageNotStored: "El servidor no puede escribir la imagen en su carpeta de medios.",
        titleRefusal: "Como máximo 200 caracteres.", descriptionRefusal: "Como máximo 1000 caracteres.",
        lineRefusal: "Como máximo 300 caracteres.",
        websiteRefusal: "Una dirección que empiece por https:// o http://.",
        coverRefusal: "La ruta de un archivo de la carpeta de medios, o una dirección que empiece por https://.",
        coverNotAllowed: "Los archivos fuera de la carpeta de medios solo se indican en la máquina del servidor.",
        changedMeanwhile: "Otra persona ha cambiado este canal mientras tanto. Revíselo y guarde de nuevo.",
        fileHasMistakes: "No se ha guardado nada, porque channels.json tiene un error:",
        notPossible: "No se ha guardado nada, porque el cambio no es posible.",
        fileNotWritable: "No se ha guardado nada, porque el servidor no puede escribir channels.json.",
        busy: "No se ha guardado nada, porque el servidor está ocupado. Inténtelo dentro de un momento.",
        language: .spanish)
}
