/** Toggles full screen for the call's stage. */
export const toggleFullScreen = () => {
  const change =
    document.fullscreenElement === null
      ? document.querySelector(".stage")?.requestFullscreen()
      : document.exitFullscreen()
  change?.catch((cause) => console.info("The browser does not allow full screen", cause))
}
