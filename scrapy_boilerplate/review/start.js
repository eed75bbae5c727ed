view.start();
